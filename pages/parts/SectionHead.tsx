import type { SectionText } from '../../client/contract/page-texts.ts';
import { ArrowLink } from './ArrowLink.tsx';

interface SectionHeadProps {
  text: SectionText;
  /** The heading's id, if the section refers to it with `aria-labelledby`. */
  id?: string;
}

/** Head of a section on a public page: the heading on the left, one paragraph and a link on the right. */
export function SectionHead({ text: { title, lede, link }, id }: SectionHeadProps) {
  return (
    <div className="section-head">
      <h2 id={id}>{title}</h2>
      {(lede || link) && (
        <div>
          {lede && <p className="lede">{lede}</p>}
          {link && <ArrowLink {...link} />}
        </div>
      )}
    </div>
  );
}
