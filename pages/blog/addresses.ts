import type { Author, Tag } from '../../client/contract/reading.ts';

/** Address of a tag's page. */
export const tagHref = ({ id }: Pick<Tag, 'id'>) => `/blog/tags/${encodeURIComponent(id)}`;

/** Address of an author's page. */
export const authorHref = ({ name }: Pick<Author, 'name'>) => `/blog/authors/${encodeURIComponent(name)}`;
