import type { Finding } from '../../../finding.ts';
import { quoteName, quoteTable } from '../../../sql/names.ts';
import { type Column, type MadeOf, type Table, tableName } from '../../../table.ts';
import { computedColumn } from '../../computed-column.ts';
import { fitOf } from '../column-fit.ts';

const becomes = {
  altered: 'values would be silently rounded or cut',
  refused: 'a row whose value does not fit is refused and parked',
  restated: 'values are stored there in another form',
} as const;

/** What happens to values in columns whose type differs at the target. @param there the target's columns */
export function typeFindings(
  table: Table,
  there: readonly (Pick<Column, 'name' | 'type' | 'generated'> & { made: MadeOf | null })[],
): Finding[] {
  const name = tableName(table);
  return table.columns.flatMap((column): Finding[] => {
    const known = there.find((one) => one.name === column.name);
    if (known?.generated && !column.generated) return [computedColumn(name, column.name)];
    const fit = column.generated || !known ? 'whole' : fitOf(column, known);
    if (!known || fit === 'whole') return [];
    const isSameName = known.type === column.type;
    const isFault = fit === 'altered';
    const remedy = `Give it the type that it has at the source${isFault ? ', or leave it out of the job' : ' if that matters'}.`;
    return [
      {
        type: 'COLUMN_TYPE',
        side: 'target',
        result: isFault ? 'fault' : 'warning',
        sentence: `The column ${column.name} of ${name} is ${printed(known)} at the target and ${printed(column)} at the source: ${becomes[fit]}. ${remedy}`,
        ...(!isSameName && {
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
