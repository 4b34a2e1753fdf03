import { quoteName } from '../../sql/names.ts';
import type { Column } from '../../table.ts';
import { isSaid, piecesOf } from './sql-pieces.ts';
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

/** Whether an expression compares anything, apart from what its strings, quoted names and comments say. */
function compares(expression: string): boolean {
  const said = piecesOf(expression).map((piece) => (/^['"`[]/.test(piece) ? "''" : isSaid(piece) ? piece : ' '));
  return comparison.test(said.join(''));
}

/** SQL for the result of a table's expression on a row that is not in the table. */
export function resultOn(row: readonly Told[], expression: string): string {
  if (!compares(expression)) return select(expression, row);
  // Each value is written once: otherwise, the text would multiply with each computed column within another one.
  const bound = row.map(({ column }, place) => ({ column, value: `millrace_${place}` }));
  const values = row.map(({ value }, place) => `${value} AS ${bound[place]?.value}`);
  // A column without a type loses that here, and text with an affinity would convert what it is compared with.
  const keepsText = row.some(({ column }) => comparisonOf(column).affinity === 'NONE');
  const casts = bound.map((told) =>
    keepsText && comparisonOf(told.column).affinity === 'TEXT' ? told : { ...told, value: castOf(told) },
  );
  const asIs = select(expression, bound.map(withCollation));
  // CAST would change what an affinity leaves as it is, such as a word in a column of numbers.
  const changes = bound.flatMap(({ value }, place) => {
    const cast = casts[place]?.value;
    return cast === value ? [] : [`${value} <> ${cast}`];
  });
  const cast = select(expression, casts.map(withCollation));
  const result = changes.length === 0 ? asIs : `CASE WHEN ${changes.join(' OR ')} THEN ${asIs} ELSE ${cast} END`;
  return `(SELECT ${result} FROM (SELECT ${values.join(', ') || '1'}))`;
}

/** SQL for what a column stores for a value: its affinity converts the value if that loses nothing. */
export function storedIn({ column, value }: Told): string {
  const cast = castOf({ column, value: 'value' });
  // The + is for the value's own affinity, which the column has not.
  if (cast === 'value') return `+${value}`;
  // CAST leaves a real as it is, and a column of whole numbers does not.
  const whole =
    comparisonOf(column).affinity === 'NUMERIC'
      ? "WHEN typeof(value) = 'real' AND value = CAST(value AS INTEGER) THEN CAST(value AS INTEGER) "
      : '';
  return `(SELECT CASE WHEN value <> ${cast} THEN value ${whole}ELSE ${cast} END FROM (SELECT ${value} AS value))`;
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
