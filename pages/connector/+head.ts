import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ catalogue, filter }: PageProps<'connector'>): Head {
  return {
    title: 'Connectors',
    description: `The ${catalogue.connectors.length} databases, warehouses, lakes, queues, caches and model services that a job can reach, with versions, sources and targets.`,
    canonical: '/connector',
    ...(filter.q && { noindex: true }),
  };
}
