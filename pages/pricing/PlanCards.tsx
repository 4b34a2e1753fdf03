import type { PageProps } from '../../client/contract/pages.ts';
import { Ticks } from '../parts/Ticks.tsx';

/** The plans side by side; lines of all cards agree. */
export function PlanCards({ pricing, site }: PageProps<'pricing'>) {
  return (
    <section className="wrap plans" aria-label="Plans">
      {pricing.plans.map(({ id, name, price, summary, features, cta }) => {
        const inCloud = cta.href === 'cloud-app';
        return (
          <article key={id}>
            <h2>{name}</h2>
            <p className="plan-price">{price}</p>
            <p className="plan-summary">{summary}</p>
            <a
              className={inCloud ? 'button button-primary' : 'button'}
              href={inCloud ? site.cloudAppUrl : cta.href}
              {...(inCloud && { 'data-try-cloud': true })}
            >
              {cta.label}
            </a>
            <Ticks items={features} />
          </article>
        );
      })}
    </section>
  );
}
