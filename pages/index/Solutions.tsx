import { Analytics } from '../parts/drawings/Analytics.tsx';
import { Retrieval } from '../parts/drawings/Retrieval.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';

const solutions = [
  {
    href: '/solution1',
    title: 'Real-time Analytics',
    text: 'Reports read from the warehouse instead of the production database, and the tables there stay seconds behind their sources. Several sources may flow into one table.',
    link: 'Keep a warehouse current',
    Drawing: Analytics,
  },
  {
    href: '/solution2',
    title: 'AI & RAG',
    text: 'Files and rows are split, embedded and written as vectors. When a source changes, its vectors follow, and answers rest on data that is still true.',
    link: 'Feed retrieval',
    Drawing: Retrieval,
  },
];

/** The two solutions, side by side. */
export function Solutions() {
  return (
    <section className="section wrap" aria-labelledby="solutions">
      <SectionHead
        id="solutions"
        title="Two uses, worked through"
        lede="The same job serves both: what differs is the target, and the shape that rows take on the way."
      />
      <div className="cards">
        {solutions.map(({ href, title, text, link, Drawing }) => (
          <article key={href} className="solution">
            <div className="figure-box">
              <Drawing />
            </div>
            <h3>{title}</h3>
            <p>{text}</p>
            <a className="arrow-link" href={href}>
              {link}
            </a>
          </article>
        ))}
      </div>
    </section>
  );
}
