import type { Head, PageProps } from '../../client/contract/pages.ts';

export default function head({ pricing }: PageProps<'pricing'>): Head {
  return {
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
