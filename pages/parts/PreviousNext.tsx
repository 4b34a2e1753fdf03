import type { Link } from '../../client/contract/reading.ts';

interface PreviousNextProps {
  label: string;
  previous?: Link | undefined;
  next?: Link | undefined;
  /** What the two directions are called. */
  words: readonly [previous: string, next: string];
}

/** Links to the text before and the text after. */
export function PreviousNext({ label, previous, next, words }: PreviousNextProps) {
  if (!previous && !next) return null;
  return (
    <nav className="page-ends" aria-label={label}>
      {previous && (
        <a href={previous.href} rel="prev">
          <small>{words[0]}</small>
          {previous.label}
        </a>
      )}
      {next && (
        <a href={next.href} rel="next" className="page-ends-next">
          <small>{words[1]}</small>
          {next.label}
        </a>
      )}
    </nav>
  );
}
