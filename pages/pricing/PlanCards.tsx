import type { Pricing } from '../../client/contract/pricing.ts';
import type { Site } from '../../client/contract/site.ts';
import { Ticks } from '../parts/Ticks.tsx';
import { TryCloud } from '../parts/TryCloud.tsx';

/** The plans side by side, with the cards' rows aligned. */
export function PlanCards({ pricing, site }: { pricing: Pricing; site: Site }) {
  return (
    <section className="wrap plans" aria-label="Plans">
      {pricing.plans.map(({ id, name, price, summary, features, cta }) => (
        <article key={id}>
          <h2>{name}</h2>
          <p className="plan-price">{price}</p>
          <p className="plan-summary">{summary}</p>
          {cta.href === 'cloud-app' ? (
            <TryCloud site={site} label={cta.label} />
          ) : (
            <a className="button" href={cta.href}>
              {cta.label}
            </a>
          )}
          <Ticks items={features} />
        </article>
      ))}
    </section>
  );
}
