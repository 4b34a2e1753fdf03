import type { Link } from '../../client/contract/reading.ts';

/** A link on a line of its own, with an arrow after it. */
export function ArrowLink({ label, href }: Link) {
  return (
    <a className="arrow-link" href={href}>
      {label}
    </a>
  );
}
