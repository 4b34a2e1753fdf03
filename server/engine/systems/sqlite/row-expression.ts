import { quoteName } from '../../sql/names.ts';
import type { Column } from '../../table.ts';
import { comparisonOf } from './tables.ts';

/** A value for a column, as SQL. */
interface Told {
  column: Column;
  value: string;
}

/**
 * What depends on affinity or collation; CASE WHEN, IS with NULL, TRUE or FALSE, and the arrows of JSON do not. Triggers
 * keep their text if nothing is compared, since a table whose triggers change is copied again.
 */
const comparison =
  /(?<!->?)[=<>]|\b(?:in|between|nullif|min|max|is(?!\s+(?:not\s+)?(?:null|true|false)\b)|case(?!\s+when\b))\b/i;

/** SQL for the result of a table's expression on a row that is not in the table. */
export function resultOn(row: readonly Told[], expression: string): string {
  if (!comparison.test(expression)) return select(expression, row);
  const asIs = select(expression, row.map(withCollation));
  const casts = row.map((told) => ({ ...told, value: castOf(told) }));
  const cast = select(expression, casts.map(withCollation));
  // CAST would change what an affinity leaves as it is, such as a word in a column of numbers.
  const changes = row.map(({ value }, place) => [value, casts[place]?.value]).filter(([value, as]) => value !== as);
  if (changes.length === 0) return asIs;
  return `(CASE WHEN ${changes.map((values) => values.join(' <> ')).join(' OR ')} THEN ${asIs} ELSE ${cast} END)`;
}

/** SQL for what a column stores for a value: its affinity converts the value if that loses nothing. */
export function storedIn({ column, value }: Told): string {
  const cast = castOf({ column, value: 'value' });
  // The + is for the value's own affinity, which the column has not.
  if (cast === 'value') return `+${value}`;
  return `(SELECT CASE WHEN value <> ${cast} THEN value ELSE ${cast} END FROM (SELECT ${value} AS value))`;
}

/** Nothing but CAST gives a value an affinity. */
function castOf({ column, value }: Told): string {
  const { affinity } = comparisonOf(column);
  return affinity === undefined || affinity === 'NONE' ? value : `CAST(${value} AS ${affinity})`;
}

function withCollation({ column, value }: Told): Told {
  const { collation } = comparisonOf(column);
  return { column, value: collation === undefined ? value : `${value} COLLATE ${collation}` };
}

function select(expression: string, row: readonly Told[]): string {
  const cells = row.map(({ column, value }) => `${value} AS ${quoteName(column.name)}`).join(', ');
  return `(SELECT ${expression} FROM (SELECT ${cells || '1'}))`;
}
