import type { PageProps } from '../../client/contract/pages.ts';
import { Analytics } from '../parts/drawings/Analytics.tsx';
import { SolutionPage } from '../parts/solution/SolutionPage.tsx';
import { planOf } from './plan.ts';

/** Real-time Analytics: a warehouse that follows its sources. */
export default function Solution1Page(props: PageProps<'solution1'>) {
  return <SolutionPage {...props} plan={planOf(props.catalogue)} drawing={<Analytics />} />;
}
