import type { Finding } from '../../../finding.ts';
import { quoteName, quoteTable } from '../../../sql/names.ts';
import { type Column, type MadeOf, type Table, tableName } from '../../../table.ts';
import { computedColumn } from '../../computed-column.ts';
import { fitOf, isAltered } from '../column-fit.ts';

const becomes = {
  altered: 'values would be silently rounded or cut',
  refused: 'a row whose value does not fit is refused and parked',
  clipped: 'a row whose value does not fit is refused and parked, and blanks beyond the limit are cut',
  restated: 'values are stored there in another form',
} as const;

/** What happens to values in columns whose type differs at the target. @param there the target's columns */
export function typeFindings(
  table: Table,
  there: readonly (Pick<Column, 'name' | 'type' | 'generated'> & { made: MadeOf | null })[],
): Finding[] {
  const name = tableName(table);
  return table.columns.flatMap((column, place): Finding[] => {
    const known = there.find((one) => one.name === column.name);
    if (!known || column.generated) return [];
    if (known.generated) return [computedColumn(name, column.name)];
    const fit = fitOf(column, known);
    if (fit === 'whole') return [];
    const isFault = isAltered(fit, table.key.includes(place));
    const remedy = `Give it the type that it has at the source${isFault ? ', or leave it out of the job' : ' if that matters'}.`;
    return [
      {
        type: 'COLUMN_TYPE',
        side: 'target',
        result: isFault ? 'fault' : 'warning',
        sentence: `The column ${column.name} of ${name} is ${printed(known)} at the target and ${printed(column)} at the source: ${becomes[isFault ? 'altered' : fit]}. ${remedy}`,
        ...(known.type !== column.type && {
          sql: `ALTER TABLE ${quoteTable(table)} ALTER COLUMN ${quoteName(column.name)} TYPE ${column.type};`,
        }),
        table: name,
      },
    ];
  });
}

/** A type, and what it is made of. */
function printed({ type, made }: Pick<Column, 'type'> & { made?: MadeOf | null }): string {
  if (!made) return type;
  return `${type} (${made.attributes?.map((one) => `${one.name} ${one.type}`).join(', ') ?? made.type})`;
}
