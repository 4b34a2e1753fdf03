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
        itemListElement: [...doc.breadcrumbs, { label: doc.title, href: doc.path }].map((crumb, at) => ({
          '@type': 'ListItem',
          position: at + 1,
          name: crumb.label,
          ...(crumb.href && { item: crumb.href }),
        })),
      },
    ],
    ...(doc.broken && { noindex: true }),
  };
}
