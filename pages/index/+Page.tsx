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
export default function HomePage({ site, text, catalogue, posts }: PageProps<'index'>) {
  return (
    <>
      <Hero text={text.hero} site={site} />
      <Strengths text={text.strengths} />
      <Functions text={text.functions} />
      <ConnectorWall text={text.connectors} catalogue={catalogue} />
      <Solutions text={text.solutions} />
      <Deployments text={text.deployments} />
      <NewestPosts text={text.posts} posts={posts} />
      <ClosingCall site={site} />
    </>
  );
}
