import '../../../client/styles/marketing.css';
import '../../../client/styles/solution.css';
import type { ReactNode } from 'react';
import type { Link, PostCard } from '../../../client/contract/reading.ts';
import type { Site } from '../../../client/contract/site.ts';
import { Icon } from '../../../client/ui/Icon.tsx';
import { Architecture } from '../architecture/Architecture.tsx';
import { ClosingCall } from '../ClosingCall.tsx';
import { SectionHead } from '../SectionHead.tsx';
import { Related } from './Related.tsx';
import type { Solution, UseCase } from './solution.ts';

function Cases({ cases }: { cases: UseCase[] }) {
  return (
    <ul className="cases">
      {cases.map(({ title, text, pair, work }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
          <p className="cases-pair">
            {pair}
            <small>{work}</small>
          </p>
        </li>
      ))}
    </ul>
  );
}

interface SolutionPageProps {
  site: Site;
  solution: Solution;
  /** Beside the banner's words. */
  drawing: ReactNode;
  posts: PostCard[];
  docs: Link[];
}

/** Both solution pages: one order of sections, two texts. */
export function SolutionPage({ site, solution, drawing, posts, docs }: SolutionPageProps) {
  return (
    <>
      <header className="banner banner-pair wrap">
        <div>
          <p className="eyebrow">{solution.name}</p>
          <h1>{solution.title}</h1>
          <p className="lede">{solution.lede}</p>
          <p className="banner-actions">
            <a className="button button-primary" href={site.cloudAppUrl} data-try-cloud>
              Try Cloud Free
            </a>
            <a className="button" href="/docs/quick/quick_start_mgr">
              Quick start
            </a>
          </p>
        </div>
        <div className="figure-box">{drawing}</div>
      </header>
      <section className="section wrap">
        <SectionHead title={solution.strengthsTitle} />
        <ul className="strengths">
          {solution.strengths.map(({ icon, title, text }) => (
            <li key={title}>
              <Icon name={icon} />
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <section className="section wrap">
        <SectionHead title={solution.architecture.title} lede={solution.architecture.lede} />
        <Architecture plan={solution.architecture.plan} />
      </section>
      <section className="section wrap">
        <SectionHead title="How it is set up" lede={solution.steps.lede} />
        <ol className="steps">
          {solution.steps.items.map(({ title, text, href, link }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
              <p>
                <a className="arrow-link" href={href}>
                  {link}
                </a>
              </p>
            </li>
          ))}
        </ol>
      </section>
      <section className="section wrap">
        <SectionHead title="Where it is used" />
        <Cases cases={solution.cases} />
      </section>
      <section className="section section-split wrap">
        <SectionHead title="What to know before" />
        <ul className="limits">
          {solution.limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      </section>
      <section className="section wrap">
        <SectionHead title="Read on" />
        <Related posts={posts} docs={docs} />
      </section>
      <ClosingCall site={site} />
    </>
  );
}
