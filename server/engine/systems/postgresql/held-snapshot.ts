import pg from 'pg';
import { EngineError } from '../../errors.ts';
import { quoteTable } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import type { PostgresSettings } from './card.ts';
import { connect, type SessionOptions } from './connect.ts';
import { engineError } from './errors.ts';
import { askRow } from './sessions.ts';

/** Codes for a snapshot that its session no longer holds: 22023 and 55000 up to version 16, 42704 from 17 on. */
const gone = ['22023', '55000', '42704'];

/** A snapshot of a database that many sessions can read while the session that holds it lives. */
export interface HeldSnapshot {
  /** As pg_export_snapshot() names it. */
  name: string;
  close(): Promise<void>;
}

/**
 * Holds a snapshot. The tables are locked first, as pg_dump does: a snapshot taken before a table rewrite finds the
 * table empty afterwards.
 * @throws EngineError
 */
export async function holdSnapshot(
  settings: PostgresSettings,
  options: SessionOptions,
  tables: readonly Table[],
): Promise<HeldSnapshot> {
  const session = await connect(settings, options);
  try {
    await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const names = tables.map(quoteTable);
    if (names.length > 0) await session.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`);
    const [name] = await askRow(session, 'SELECT pg_export_snapshot()');
    return { name: name ?? '', close: () => session.end() };
  } catch (error) {
    session.connection.stream.destroy();
    throw engineError(error, { side: 'source' });
  }
}

/** Sets the held snapshot for a transaction that has begun. @throws EngineError SNAPSHOT_LOST */
export async function adoptSnapshot(session: pg.ClientBase, { name }: HeldSnapshot): Promise<void> {
  try {
    await session.query(`SET TRANSACTION SNAPSHOT ${pg.escapeLiteral(name)}`);
  } catch (error) {
    if (error instanceof pg.DatabaseError && gone.includes(error.code ?? ''))
      throw new EngineError('SNAPSHOT_LOST', { side: 'source' });
    throw error;
  }
}
