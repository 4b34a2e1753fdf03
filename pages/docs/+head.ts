import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ doc, catalogue, target }: PageProps<'docs'>): Head {
  const to = target && catalogue.connectors.find(({ id }) => id === target)?.name;
  return {
    title: to ? `${doc.title} to ${to}` : doc.title,
    description: doc.description,
    canonical: doc.path,
    structured: [
      {
        '@type': 'BreadcrumbList',
        // Groups without a page of their own have no place in the list: every entry needs an address.
        itemListElement: [...doc.breadcrumbs, { label: doc.title, href: doc.path }]
          .filter(({ href }) => href !== undefined)
          .map(({ label, href }, at) => ({ '@type': 'ListItem', position: at + 1, name: label, item: href })),
      },
    ],
    ...(doc.broken && { noindex: true }),
  };
}
