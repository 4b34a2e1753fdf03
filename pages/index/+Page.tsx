import '../../client/styles/marketing.css';
import './index.css';
import type { PageProps } from '../../client/contract/pages.ts';
import { ClosingCall } from '../parts/ClosingCall.tsx';
import { ConnectorWall } from './ConnectorWall.tsx';
import { Deployments } from './Deployments.tsx';
import { Functions } from './Functions.tsx';
import { Hero } from './Hero.tsx';
import { NewestPosts } from './NewestPosts.tsx';
import { Solutions } from './Solutions.tsx';
import { Strengths } from './Strengths.tsx';

/** Home. */
export default function HomePage({ site, catalogue, posts }: PageProps<'index'>) {
  return (
    <>
      <Hero site={site} />
      <Strengths />
      <Functions />
      <ConnectorWall catalogue={catalogue} />
      <Solutions />
      <Deployments />
      <NewestPosts posts={posts} />
      <ClosingCall site={site} />
    </>
  );
}
