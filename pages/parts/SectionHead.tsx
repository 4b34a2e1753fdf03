import type { Link } from '../../client/contract/reading.ts';

interface SectionHeadProps {
  title: string;
  lede?: string;
  link?: Link;
  /** Id of the heading, where the section names it by `aria-labelledby`. */
  id?: string;
}

/** Head of a section on a public page: the heading on the left, one paragraph and a link on the right. */
export function SectionHead({ title, lede, link, id }: SectionHeadProps) {
  return (
    <div className="section-head">
      <h2 id={id}>{title}</h2>
      {(lede || link) && (
        <div>
          {lede && <p className="lede">{lede}</p>}
          {link && (
            <a className="arrow-link" href={link.href}>
              {link.label}
            </a>
          )}
        </div>
      )}
    </div>
  );
}
