import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ site }: PageProps<'index'>): Head {
  const { name, description } = site.brand;
  return {
    structured: [
      {
        '@type': 'SoftwareApplication',
        name,
        description,
        url: '/',
        applicationCategory: 'BusinessApplication',
        operatingSystem: 'Linux',
      },
    ],
  };
}
