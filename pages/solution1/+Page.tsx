import type { PageProps } from '../../client/contract/pages.ts';
import { Analytics } from '../parts/drawings/Analytics.tsx';
import { SolutionPage } from '../parts/solution/SolutionPage.tsx';
import { realTimeAnalytics } from './solution.ts';

/** Real-time Analytics: a warehouse that follows its sources. */
export default function Solution1Page({ site, catalogue, posts, docs }: PageProps<'solution1'>) {
  return (
    <SolutionPage
      site={site}
      solution={realTimeAnalytics(site, catalogue)}
      drawing={<Analytics />}
      posts={posts}
      docs={docs}
    />
  );
}
