import type { Route } from '../flow/route.ts';
import type { Column } from '../table.ts';

const integer = /^(small|big|tiny|medium)?int(eger|[248])?$/i;
const text = /^(text|varchar|character varying)(\(\d+\))?$/i;

/**
 * Whether the target writes a key as the source does, so that a key that was read there can be asked for at the source. A
 * varchar that is a uuid at the target comes back in lower case, and the source has no row of that text.
 */
export function keepsKeyTexts({ source, target }: Route): boolean {
  // Numbers and times are compared as such, however they are written.
  if (target.ordered) return true;
  return source.key.every((place, part) => {
    const [from, to] = [source.columns[place], target.columns[target.key[part] ?? -1]];
    return from !== undefined && to !== undefined && keepsTexts(from, to);
  });
}

/** Names of types that people made stand in schemas, which a job may rename. */
const bare = ({ type }: Column) => type.replace(/^[^(]*\./, '').toLowerCase();

function keepsTexts(from: Column, to: Column): boolean {
  // A text takes whatever it is given.
  return bare(from) === bare(to) || text.test(to.type) || (integer.test(from.type) && integer.test(to.type));
}
