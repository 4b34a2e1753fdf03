import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ site }: PageProps<'index'>): Head {
  const { name, tagline, description } = site.brand;
  return {
    title: tagline,
    description,
    canonical: '/',
    structured: [
      {
        '@type': 'SoftwareApplication',
        name,
        description,
        url: '/',
        applicationCategory: 'BusinessApplication',
        operatingSystem: 'Linux',
        offers: { '@type': 'Offer', price: 0, priceCurrency: 'USD', url: '/pricing' },
      },
    ],
  };
}
