import type { HomeText } from '../../client/contract/page-texts.ts';
import { ArrowLink } from '../parts/ArrowLink.tsx';
import { Analytics } from '../parts/drawings/Analytics.tsx';
import { Retrieval } from '../parts/drawings/Retrieval.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';

const drawings = { analytics: Analytics, retrieval: Retrieval };

/** The two solutions, side by side. */
export function Solutions({ text: section }: { text: HomeText['solutions'] }) {
  return (
    <section className="section wrap" aria-labelledby="solutions">
      <SectionHead id="solutions" text={section} />
      <div className="cards">
        {section.items.map(({ drawing, title, text, link }) => {
          const Drawing = drawings[drawing];
          return (
            <article key={title} className="solution">
              <div className="figure-box">
                <Drawing />
              </div>
              <h3>{title}</h3>
              <p>{text}</p>
              <ArrowLink {...link} />
            </article>
          );
        })}
      </div>
    </section>
  );
}
