import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ pricing }: PageProps<'pricing'>): Head {
  return {
    title: 'Pricing',
    description:
      'Community, Cloud, Enterprise trial and Enterprise: what each plan holds, prices by rows and by link-hour, the discount by links, worked examples and questions.',
    canonical: '/pricing',
    structured: [
      {
        '@type': 'FAQPage',
        mainEntity: pricing.questions.map(({ q, a }) => ({
          '@type': 'Question',
          name: q,
          acceptedAnswer: { '@type': 'Answer', text: a },
        })),
      },
    ],
  };
}
