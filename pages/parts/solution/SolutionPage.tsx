import '../../../client/styles/marketing.css';
import '../../../client/styles/solution.css';
import type { ReactNode } from 'react';
import type { Catalogue } from '../../../client/contract/catalogue.ts';
import type { SolutionText } from '../../../client/contract/page-texts.ts';
import type { PageProps } from '../../../client/contract/pages.ts';
import { Icon } from '../../../client/ui/Icon.tsx';
import { ArrowLink } from '../ArrowLink.tsx';
import { Architecture } from '../architecture/Architecture.tsx';
import type { Plan } from '../architecture/plan.ts';
import { ClosingCall } from '../ClosingCall.tsx';
import { SectionHead } from '../SectionHead.tsx';
import { TryCloud } from '../TryCloud.tsx';
import { pairOf } from './pairs.ts';
import { Related } from './Related.tsx';

function Cases({ items, catalogue }: Pick<SolutionText['cases'], 'items'> & { catalogue: Catalogue }) {
  return (
    <ul className="cases">
      {items.map(({ title, text, source, target }) => {
        const { pair, work } = pairOf(catalogue, source, target);
        return (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
            <p className="cases-pair">
              {pair}
              <small>{work}</small>
            </p>
          </li>
        );
      })}
    </ul>
  );
}

type SolutionPageProps = PageProps<'solution1'> & {
  plan: Plan;
  /** Shown beside the banner's text. */
  drawing: ReactNode;
};

/** Both solution pages: the same sections, two texts. */
export function SolutionPage({ text: page, site, catalogue, plan, drawing, posts, docs }: SolutionPageProps) {
  const { banner } = page;
  return (
    <>
      <header className="banner banner-pair wrap">
        <div>
          <p className="eyebrow">{banner.name}</p>
          <h1>{banner.title}</h1>
          <p className="lede">{banner.lede}</p>
          <p className="banner-actions">
            <TryCloud site={site} />
            <a className="button" href={banner.link.href}>
              {banner.link.label}
            </a>
          </p>
        </div>
        <div className="figure-box">{drawing}</div>
      </header>
      <section className="section wrap">
        <SectionHead text={page.strengths} />
        <ul className="strengths">
          {page.strengths.items.map(({ icon, title, text }) => (
            <li key={title}>
              <Icon name={icon} />
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <section className="section wrap">
        <SectionHead text={page.architecture} />
        <Architecture plan={plan} captions={page.architecture.captions} />
      </section>
      <section className="section wrap">
        <SectionHead text={page.steps} />
        <ol className="steps">
          {page.steps.items.map(({ title, text, link }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
              <p>
                <ArrowLink {...link} />
              </p>
            </li>
          ))}
        </ol>
      </section>
      <section className="section wrap">
        <SectionHead text={page.cases} />
        <Cases items={page.cases.items} catalogue={catalogue} />
      </section>
      <section className="section section-split wrap">
        <SectionHead text={page.limits} />
        <ul className="limits">
          {page.limits.items.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      </section>
      <section className="section wrap">
        <SectionHead text={page.related} />
        <Related posts={posts} docs={docs} />
      </section>
      <ClosingCall site={site} />
    </>
  );
}
