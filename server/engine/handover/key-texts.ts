import type { Route } from '../flow/route.ts';
import type { Column } from '../table.ts';

const integer = /^(small|big|tiny|medium)?int(eger|[248])?$/i;
const text = /^(text|varchar|character varying)(\(\d+\))?$/i;

/**
 * Whether the target writes a key as the source does, so that a key read at the target can be looked up at the source.
 * A varchar that is a uuid at the target comes back in lower case, and the source has no row with that text.
 */
export function keepsKeyTexts({ source, target }: Route): boolean {
  // Numbers and times are compared by value, however they are written.
  if (target.ordered) return true;
  return source.key.every((place, part) => {
    const [from, to] = [source.columns[place], target.columns[target.key[part] ?? -1]];
    return from !== undefined && to !== undefined && keepsTexts(from, to);
  });
}

/** Names of user-defined types are qualified with schemas, which a job may rename. */
const bare = ({ type }: Column) => type.replace(/^[^(]*\./, '').toLowerCase();

function keepsTexts(from: Column, to: Column): boolean {
  // A text takes any value.
  return bare(from) === bare(to) || text.test(to.type) || (integer.test(from.type) && integer.test(to.type));
}
