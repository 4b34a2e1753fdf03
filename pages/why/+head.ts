import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ site }: PageProps<'why'>): Head {
  return {
    title: 'Why the product',
    description: `Batch ETL, a capture stack of your own and ${site.brand.name} compared by latency, schema change, verification, operation and deployment.`,
    canonical: '/why',
  };
}
