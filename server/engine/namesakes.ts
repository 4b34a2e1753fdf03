import { EngineError, type ErrorPlace } from './errors.ts';
import type { RefusedTable } from './selected-tables.ts';
import type { Named, Sink } from './sink.ts';
import type { Source } from './source.ts';
import { tableName } from './table.ts';

type Side = NonNullable<ErrorPlace['side']>;

/** A table that a side lacks. @param namesakes what has the name of such a table */
export function missingTable(side: Side, table: Named, namesakes: ReadonlyMap<string, string>): EngineError {
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
  const namesakesAt = async (side: Side, system: Pick<Sink, 'namesakes'>) => {
    const missing = refused.filter((one) => lackingSide(one) === side).map((one) => nameAt(side, one));
    return missing.length === 0 ? new Map<string, string>() : await system.namesakes(missing);
  };
  const namesakes = { source: await namesakesAt('source', source), target: await namesakesAt('target', sink) };
  return refused.map((one) => {
    const side = lackingSide(one);
    return side === undefined ? one : { ...one, error: missingTable(side, nameAt(side, one), namesakes[side]) };
  });
}

/** The side without the table, if that is why it is refused. */
const lackingSide = ({ error }: RefusedTable) => (error.code === 'TABLE_MISSING' ? error.place.side : undefined);

const nameAt = (side: Side, { selection }: RefusedTable): Named => (side === 'source' ? selection : selection.target);
