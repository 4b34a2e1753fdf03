import type { Head } from '../../client/contract/pages.ts';

export default function head(): Head {
  return {
    title: 'AI & RAG',
    description:
      'Vectors from files, current rows from databases and a chat API over both, with the model provider you choose.',
    canonical: '/solution2',
  };
}
