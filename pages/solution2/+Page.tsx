import type { PageProps } from '../../client/contract/pages.ts';
import { Retrieval } from '../parts/drawings/Retrieval.tsx';
import { SolutionPage } from '../parts/solution/SolutionPage.tsx';
import { aiAndRag } from './solution.ts';

/** AI & RAG: vectors and rows that stay current. */
export default function Solution2Page({ site, catalogue, posts, docs }: PageProps<'solution2'>) {
  return (
    <SolutionPage site={site} solution={aiAndRag(site, catalogue)} drawing={<Retrieval />} posts={posts} docs={docs} />
  );
}
