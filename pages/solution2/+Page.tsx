import type { PageProps } from '../../client/contract/pages.ts';
import { Retrieval } from '../parts/drawings/Retrieval.tsx';
import { SolutionPage } from '../parts/solution/SolutionPage.tsx';
import { planOf } from './plan.ts';

/** AI & RAG: vectors and rows that stay current. */
export default function Solution2Page(props: PageProps<'solution2'>) {
  return <SolutionPage {...props} plan={planOf(props.catalogue)} drawing={<Retrieval />} />;
}
