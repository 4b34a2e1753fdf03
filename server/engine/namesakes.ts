import { EngineError, type ErrorPlace } from './errors.ts';
import type { RefusedTable } from './selected-tables.ts';
import type { Named, Sink } from './sink.ts';
import type { Source } from './source.ts';
import { tableName } from './table.ts';

/** A table that a side lacks. @param namesakes what has the name of such a table */
export function missingTable(
  side: NonNullable<ErrorPlace['side']>,
  table: Named,
  namesakes: ReadonlyMap<string, string>,
): EngineError {
  const name = tableName(table);
  const subject = namesakes.get(name);
  return subject === undefined
    ? new EngineError('TABLE_MISSING', { side, table: name })
    : new EngineError('NOT_A_TABLE', { side, table: name, subject });
}

/** The same refusals; those of missing tables say what has their name. */
export async function withNamesakes(
  { source, sink }: { source: Pick<Source, 'namesakes'>; sink: Pick<Sink, 'namesakes'> },
  refused: readonly RefusedTable[],
): Promise<RefusedTable[]> {
  const namedAt = { source: ({ selection }: RefusedTable) => selection, target: targetOf };
  const isMissing = ({ error }: RefusedTable, side: ErrorPlace['side']) =>
    error.code === 'TABLE_MISSING' && error.place.side === side;
  const told: RefusedTable[] = [...refused];
  for (const [side, system] of [['source', source] as const, ['target', sink] as const]) {
    const missing = refused.filter((one) => isMissing(one, side));
    if (missing.length === 0) continue;
    const namesakes = await system.namesakes(missing.map(namedAt[side]));
    for (const one of missing)
      told[refused.indexOf(one)] = { ...one, error: missingTable(side, namedAt[side](one), namesakes) };
  }
  return told;
}

const targetOf = ({ selection }: RefusedTable) => selection.target;
