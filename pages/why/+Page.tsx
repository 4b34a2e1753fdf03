import '../../client/styles/marketing.css';
import '../../client/styles/solution.css';
import './why.css';
import type { WhyText } from '../../client/contract/page-texts.ts';
import type { PageProps } from '../../client/contract/pages.ts';
import { ClosingCall } from '../parts/ClosingCall.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';
import { Staleness } from './Staleness.tsx';
import { ThreeWays } from './ThreeWays.tsx';

function Comparison({ text, brand }: { text: WhyText['comparison']; brand: string }) {
  const { approaches, properties } = text;
  return (
    <table className="compare">
      <caption className="visually-hidden">Three approaches by property</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Property</span>
          </th>
          <th scope="col">{approaches.batch}</th>
          <th scope="col">{approaches.ownStack}</th>
          <th scope="col">{brand}</th>
        </tr>
      </thead>
      <tbody>
        {properties.map(({ name, batch, ownStack, product }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-label={approaches.batch}>{batch}</td>
            <td data-label={approaches.ownStack}>{ownStack}</td>
            <td data-label={brand}>{product}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Scenarios({ items }: Pick<WhyText['scenarios'], 'items'>) {
  return (
    <ol className="scenarios">
      {items.map(({ title, situation, job, decide, href }) => (
        <li key={title}>
          <h3>
            <a href={href}>{title}</a>
          </h3>
          <p>{situation}</p>
          <dl>
            <dt>Job</dt>
            <dd>{job}</dd>
            <dt>Decide first</dt>
            <dd>{decide}</dd>
          </dl>
        </li>
      ))}
    </ol>
  );
}

/** Why the product: a comparison, five scenarios, and what a stale copy costs. */
export default function WhyPage({ text, site }: PageProps<'why'>) {
  return (
    <>
      <header className="banner banner-pair wrap">
        <div>
          <p className="eyebrow">Why {site.brand.name}</p>
          <h1>{text.banner.title}</h1>
          <p className="lede">{text.banner.lede}</p>
        </div>
        <div className="figure-box">
          <ThreeWays brand={site.brand.name} />
        </div>
      </header>
      <section className="section wrap">
        <SectionHead text={text.comparison} />
        <Comparison text={text.comparison} brand={site.brand.name} />
      </section>
      <section className="section wrap">
        <SectionHead text={text.scenarios} />
        <Scenarios items={text.scenarios.items} />
      </section>
      <section className="section wrap">
        <SectionHead text={text.staleness} />
        <Staleness text={text.staleness} />
      </section>
      <ClosingCall site={site} />
    </>
  );
}
