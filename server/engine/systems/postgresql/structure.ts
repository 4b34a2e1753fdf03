import type pg from 'pg';
import { EngineError } from '../../errors.ts';
import type { Statement } from '../../sink.ts';
import type { Table } from '../../table.ts';

/** STUB, to be replaced by its owner: source.ts calls it with these arguments, inside `Sessions.use`. */
export function readStructure(
  _session: pg.ClientBase,
  _tables: readonly Table[],
  _targets: readonly Table[],
  _have: readonly Table[],
): Promise<Statement[]> {
  throw new EngineError('UNEXPECTED', { side: 'source', subject: 'not written yet' });
}
