import type { HomeText } from '../../client/contract/page-texts.ts';
import { SectionHead } from '../parts/SectionHead.tsx';
import { StrengthMark } from './StrengthMark.tsx';

/** Strengths, each with its mechanism and the condition under which it holds. */
export function Strengths({ text: section }: { text: HomeText['strengths'] }) {
  return (
    <section className="section wrap" aria-labelledby="strengths">
      <SectionHead id="strengths" text={section} />
      <ul className="strengths strengths-aligned">
        {section.items.map(({ mark, title, text, condition }) => (
          <li key={title}>
            <StrengthMark name={mark} />
            <h3>{title}</h3>
            <p>{text}</p>
            <p className="condition">{condition}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
