import type pg from 'pg';
import type { Finding } from '../../../finding.ts';
import type { Filters } from '../../../source.ts';
import { type Table, tableName } from '../../../table.ts';
import { engineError } from '../errors.ts';
import { proveFilter } from '../filter.ts';

/** What is wrong with these tables' row filters. */
export async function filterFindings(
  session: pg.ClientBase,
  tables: readonly Table[],
  filters: Filters,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const table of tables) {
    const condition = filters.get(table.id);
    if (condition !== undefined) findings.push(await findingOf(session, table, condition));
  }
  return findings;
}

async function findingOf(session: pg.ClientBase, table: Table, condition: string): Promise<Finding> {
  const name = tableName(table);
  const common = { type: 'COLUMN_TYPE', side: 'source', table: name } as const;
  try {
    const answer = await proveFilter(session, table, condition);
    if (!('reason' in answer))
      return {
        ...common,
        result: 'passed',
        sentence: `The filter of ${name} is an immutable condition on its columns.`,
      };
    const sentence = `The filter of ${name} is refused: ${answer.reason}`;
    return { ...common, result: 'fault', sentence, ...(answer.sql && { sql: answer.sql }) };
  } catch (error) {
    const { message, hint } = engineError(error, { side: 'source', table: name });
    return { ...common, result: 'fault', sentence: `The filter of ${name} could not be checked. ${message} ${hint}` };
  }
}
