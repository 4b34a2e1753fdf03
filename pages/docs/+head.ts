import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ doc }: PageProps<'docs'>): Head {
  return {
    structured: [
      {
        '@type': 'BreadcrumbList',
        // Groups without their own page are left out: every entry needs an address.
        itemListElement: [...doc.breadcrumbs, { label: doc.title, href: doc.path }]
          .filter(({ href }) => href !== undefined)
          .map(({ label, href }, at) => ({ '@type': 'ListItem', position: at + 1, name: label, item: href })),
      },
    ],
  };
}
