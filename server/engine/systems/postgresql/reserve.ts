import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { EngineError } from '../../errors.ts';
import { assertFollowable } from '../../followable.ts';
import type { Position } from '../../position.ts';
import type { TellWait, Waiting } from '../../source.ts';
import type { Table } from '../../table.ts';
import type { PostgresSettings } from './card.ts';
import { applicationName, connect, type SideOptions } from './connect.ts';
import { engineError } from './errors.ts';
import { type LogNames, logNames } from './log-names.ts';
import { parseLsn, positionAt } from './lsn.ts';
import { assertPublished, completePublication, noteNoneAwaited, publish } from './publication.ts';
import { askRow } from './sessions.ts';
import { whileTelling } from './tell-open-transactions.ts';

/** How often the server is polled while waiting for something to end there, in milliseconds. */
const pollMs = 100;
/** How long one of our sessions may take to end after it was terminated, in milliseconds. */
const endTimeout = 30_000;

/**
 * Creates a job's publication and then its slot, or finds them as they should be. Creating a slot waits for every
 * transaction that is open at that time; those that are open afterwards are waited for, too: their commit may be in the
 * log before the slot's start, and become visible only after a flush or a standby's answer.
 * @returns where the stream begins
 * @throws EngineError
 */
export async function reserve(
  settings: PostgresSettings,
  own: SideOptions,
  job: string,
  tables: readonly Table[],
  tell?: TellWait,
): Promise<Position> {
  refuseUnfollowable(tables);
  const session = await connect(settings, { side: 'source', ...own, job, statementTimeout: 0 });
  let pid: string | null | undefined;
  try {
    [pid] = await askRow(session, 'SELECT pg_backend_pid()');
    const names = logNames(settings, job);
    if (names.ownsPublication) await publish(session, names.publication, tables);
    else await assertPublished(session, names.publication, tables);
    const found = await findSlot(session, names, job);
    return await whileTelling(settings, own, tell, async () => {
      const position = found ?? (await createSlot(session, names.slot, settings.failover === 'yes'));
      await untilOpenTransactionsEnded(session, own.signal);
      return position;
    });
  } catch (error) {
    // Otherwise the server would go on waiting for other transactions, and leave a slot behind.
    if (own.signal.aborted && pid) await endBackend(settings, own, pid);
    throw engineError(error, { side: 'source' });
  } finally {
    await session.end();
  }
}

/**
 * Adds tables to a job's publication, and waits for every transaction that is open at that time, since the log leaves
 * out those that are older than the publication's change. If no table is missing, there is nothing to wait for.
 * @throws EngineError SLOT_MISSING or SETTING_MISSING if the slot or the publication is gone
 */
export async function include(
  settings: PostgresSettings,
  own: SideOptions,
  job: string,
  tables: readonly Table[],
  { carried = new Set(), tell }: Waiting = {},
): Promise<void> {
  refuseUnfollowable(tables);
  const session = await connect(settings, { side: 'source', ...own, job, statementTimeout: 0 });
  const untilEnded = () => whileTelling(settings, own, tell, () => untilOpenTransactionsEnded(session, own.signal));
  try {
    const { slot, publication, ownsPublication } = logNames(settings, job);
    const [found] = await askRow(session, 'SELECT slot_name FROM pg_replication_slots WHERE slot_name = $1', [slot]);
    if (!found) throw new EngineError('SLOT_MISSING', { side: 'source', subject: `slot ${slot}` });
    if (!ownsPublication) {
      await assertPublished(session, publication, tables);
      // It is unknown since when they have been in it.
      if (tables.some(({ id }) => !carried.has(id))) await untilEnded();
      return;
    }
    if (!(await completePublication(session, publication, tables))) return;
    await untilEnded();
    await noteNoneAwaited(session, publication);
  } catch (error) {
    throw engineError(error, { side: 'source' });
  } finally {
    await session.end();
  }
}

/**
 * Removes a job's slot and publication; those named in the data source, or owned by another role, stay.
 * @throws EngineError SLOT_TAKEN if a session that is not this job's reads the slot
 */
export async function release(settings: PostgresSettings, own: SideOptions, job: string): Promise<void> {
  const names = logNames(settings, job);
  const session = await connect(settings, { side: 'source', ...own, job });
  try {
    const state = await freeSlot(session, names.slot, job);
    if (names.ownsSlot && state !== 'missing')
      await session.query({ text: 'SELECT pg_drop_replication_slot($1)', values: [names.slot] });
    if (!names.ownsPublication) return;
    const [owned] = await askRow(
      session,
      `SELECT pg_has_role(pubowner, 'USAGE') FROM pg_publication WHERE pubname = $1`,
      [names.publication],
    );
    if (owned === 't') await session.query(`DROP PUBLICATION IF EXISTS ${pg.escapeIdentifier(names.publication)}`);
  } catch (error) {
    throw engineError(error, { side: 'source', subject: `slot ${names.slot}` });
  } finally {
    await session.end();
  }
}

/**
 * Terminates a session of this job that still reads its slot, such as one that a killed process left behind.
 * @throws EngineError SLOT_TAKEN if a foreign session reads it, or the session does not end
 */
export async function freeSlot(session: pg.ClientBase, slot: string, job: string): Promise<'free' | 'missing'> {
  const taken = new EngineError('SLOT_TAKEN', { side: 'source', subject: `slot ${slot}` });
  for (const deadline = performance.now() + endTimeout; performance.now() < deadline; await wait(pollMs)) {
    const [name, pid, application] = await askRow(
      session,
      `SELECT s.slot_name, s.active_pid, a.application_name
      FROM pg_replication_slots AS s LEFT JOIN pg_stat_activity AS a ON a.pid = s.active_pid WHERE s.slot_name = $1`,
      [slot],
    );
    if (!name) return 'missing';
    if (!pid) return 'free';
    if (application !== null && application !== applicationName(job)) throw taken;
    if (application) await session.query({ text: 'SELECT pg_terminate_backend($1)', values: [pid] });
  }
  throw taken;
}

/** In a publication, they would make their own application's UPDATE fail. */
function refuseUnfollowable(tables: readonly Table[]): void {
  for (const table of tables) assertFollowable(table);
}

/** The position of the job's slot; a slot of our own that is no longer usable is removed. */
async function findSlot(
  session: pg.ClientBase,
  { slot, ownsSlot }: LogNames,
  job: string,
): Promise<Position | undefined> {
  const state = await freeSlot(session, slot, job);
  if (state === 'missing' && ownsSlot) return undefined;
  const [flushed] = await askRow(
    session,
    `SELECT confirmed_flush_lsn FROM pg_replication_slots
    WHERE slot_name = $1 AND plugin = 'pgoutput' AND database = current_database() AND wal_status <> 'lost'`,
    [slot],
  );
  if (flushed) return positionAt(parseLsn(flushed));
  if (!ownsSlot) throw new EngineError('SLOT_MISSING', { side: 'source', subject: `slot ${slot}` });
  await session.query({ text: 'SELECT pg_drop_replication_slot($1)', values: [slot] });
  return undefined;
}

async function createSlot(session: pg.ClientBase, slot: string, isForFailover: boolean): Promise<Position> {
  // Waiting for open transactions means waiting for their locks.
  await session.query('SET lock_timeout = 0');
  const options = isForFailover ? ', failover => true' : '';
  const [lsn] = await askRow(session, `SELECT lsn FROM pg_create_logical_replication_slot($1, 'pgoutput'${options})`, [
    slot,
  ]);
  return positionAt(parseLsn(lsn ?? ''));
}

/** What they wrote to a table before it was published, or committed before the slot's start, is not in the stream. */
async function untilOpenTransactionsEnded(session: pg.ClientBase, signal: AbortSignal): Promise<void> {
  // A transaction ID of our own: a snapshot ends at the last finished transaction, and later ones may be open.
  const [own] = await askRow(session, 'SELECT pg_current_xact_id()::text');
  for (;;) {
    const [ended] = await askRow(session, 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::numeric >= $1', [own]);
    if (ended === 't') return;
    await wait(pollMs, undefined, { signal });
  }
}

async function endBackend(settings: PostgresSettings, own: SideOptions, pid: string): Promise<void> {
  try {
    const session = await connect(settings, { ...own, side: 'source', signal: AbortSignal.timeout(5_000) });
    await session.query({ text: 'SELECT pg_terminate_backend($1)', values: [pid] });
    await session.end();
  } catch {
    // The server cannot be reached: the job's next reserve or release terminates that session.
  }
}
