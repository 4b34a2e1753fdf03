import type { Author } from '../../../client/contract/reading.ts';
import { authorHref } from '../addresses.ts';

/** The post's authors. */
export function Writers({ authors }: { authors: Author[] }) {
  if (authors.length === 0) return null;
  return (
    <ul className="writers" aria-label="Written by">
      {authors.map((author) => (
        <li key={author.name}>
          <p>
            <a href={authorHref(author)}>{author.label}</a> <span>{author.title}</span>
          </p>
          <p>{author.description}</p>
        </li>
      ))}
    </ul>
  );
}
