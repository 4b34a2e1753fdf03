import type { Pricing } from '../../client/contract/pricing.ts';
import type { Site } from '../../client/contract/site.ts';
import { Icon } from '../../client/ui/Icon.tsx';
import { isReachable } from '../parts/contact.ts';

/** Questions about prices, each unfolding to its answer. */
export function Questions({ title, questions, site }: Pick<Pricing, 'questions'> & { title: string; site: Site }) {
  const { salesEmail } = site.brand;
  return (
    <section className="section wrap" aria-labelledby="questions">
      <div className="section-head">
        <div>
          <h2 id="questions">{title}</h2>
          {isReachable(salesEmail) && (
            <p className="questions-mail">
              Another question? <a href={`mailto:${salesEmail}`}>{salesEmail}</a>
            </p>
          )}
        </div>
        <div>
          {questions.map(({ q, a }) => (
            <details key={q} className="unfold">
              <summary>
                {q}
                <Icon name="chevron" />
              </summary>
              <p>{a}</p>
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}
