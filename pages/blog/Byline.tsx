import { Fragment } from 'react';
import type { PostCard } from '../../client/contract/reading.ts';
import { authorHref, tagHref } from './addresses.ts';

/** A post's tags and authors, as links. */
export function Byline({ tags, authors }: Pick<PostCard, 'tags' | 'authors'>) {
  return (
    <p className="byline">
      {tags.map((tag) => (
        <a key={tag.id} className="tag" href={tagHref(tag)}>
          {tag.label}
        </a>
      ))}
      {authors.length > 0 && (
        <span>
          By{' '}
          {authors.map((author, at) => (
            <Fragment key={author.name}>
              {at > 0 && ', '}
              <a href={authorHref(author)}>{author.label}</a>
            </Fragment>
          ))}
        </span>
      )}
    </p>
  );
}
