import type { Finding } from '../../finding.ts';
import { quoteName, quoteTable } from '../../sql/names.ts';
import { type Column, type Table, tableName } from '../../table.ts';
import { columnFit } from './column-fit.ts';

const becomes = {
  altered: 'values would be rounded or cut, and nobody told',
  refused: 'a row whose value does not fit is refused and parked',
  restated: 'values are kept there in another form',
} as const;

/** What becomes of values in columns whose type at the target is another one. @param there the target's columns */
export function typeFindings(table: Table, there: readonly Pick<Column, 'name' | 'type'>[]): Finding[] {
  const name = tableName(table);
  return table.columns.flatMap((column): Finding[] => {
    const type = there.find((one) => one.name === column.name)?.type ?? column.type;
    const fit = column.generated ? 'whole' : columnFit(column.type, type);
    if (fit === 'whole') return [];
    const isFault = fit === 'altered';
    const remedy = `Give it the type that it has at the source${isFault ? ', or leave it out of the job' : ' where that matters'}.`;
    return [
      {
        type: 'COLUMN_TYPE',
        side: 'target',
        result: isFault ? 'fault' : 'warning',
        sentence: `The target's column ${column.name} of ${name} is ${type} and the source's ${column.type}: ${becomes[fit]}. ${remedy}`,
        sql: `ALTER TABLE ${quoteTable(table)} ALTER COLUMN ${quoteName(column.name)} TYPE ${column.type};`,
        table: name,
      },
    ];
  });
}
