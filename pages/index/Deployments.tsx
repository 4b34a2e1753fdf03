import type { HomeText } from '../../client/contract/page-texts.ts';
import { ArrowLink } from '../parts/ArrowLink.tsx';
import { DeploymentPlan } from '../parts/drawings/DeploymentPlan.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';

/** The ways to run it, compared line by line. */
export function Deployments({ text: section }: { text: HomeText['deployments'] }) {
  return (
    <section className="section wrap" aria-labelledby="deployments">
      <SectionHead id="deployments" text={section} />
      <div className="deployments">
        {section.items.map(({ kind, name, text, facts, link }) => (
          <article key={kind}>
            <div className="figure-box">
              <DeploymentPlan kind={kind} />
            </div>
            <h3>{name}</h3>
            <p>{text}</p>
            <dl>
              {Object.entries(facts).map(([fact, value]) => (
                <div key={fact}>
                  <dt>{fact}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <ArrowLink {...link} />
          </article>
        ))}
      </div>
    </section>
  );
}
