import '../../client/styles/marketing.css';
import '../../client/styles/solution.css';
import './why.css';
import type { PageProps } from '../../client/contract/pages.ts';
import { ClosingCall } from '../parts/ClosingCall.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';
import { approaches, properties } from './comparison.ts';
import { Staleness } from './Staleness.tsx';
import { fiveScenarios } from './scenarios.ts';
import { ThreeWays } from './ThreeWays.tsx';

function Comparison({ brand }: { brand: string }) {
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

function Scenarios() {
  return (
    <ol className="scenarios">
      {fiveScenarios.map(({ title, situation, job, decide, href }) => (
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

/** Why the product: compared by property, in five situations, and by what a stale copy costs. */
export default function WhyPage({ site }: PageProps<'why'>) {
  return (
    <>
      <header className="banner banner-pair wrap">
        <div>
          <p className="eyebrow">Why {site.brand.name}</p>
          <h1>Three ways to keep a copy current</h1>
          <p className="lede">
            A nightly batch, a capture stack of your own, or {site.brand.name}. Each is right somewhere. What decides is
            how old the copy may be, who looks after it, and how you know that it is equal.
          </p>
        </div>
        <div className="figure-box">
          <ThreeWays brand={site.brand.name} />
        </div>
      </header>
      <section className="section wrap">
        <SectionHead title="By property" lede="What each does by its nature. Nothing here is measured." />
        <Comparison brand={site.brand.name} />
      </section>
      <section className="section wrap">
        <SectionHead
          title="Five situations"
          lede="In each the job is a different one, and so is the decision to take before it."
        />
        <Scenarios />
      </section>
      <section className="section wrap">
        <SectionHead title="What staleness costs" lede="A copy that is behind costs what is decided on it meanwhile." />
        <Staleness />
      </section>
      <ClosingCall site={site} />
    </>
  );
}
