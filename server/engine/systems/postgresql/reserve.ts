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

/** How often the server is asked again while something ends there, in milliseconds. */
const pollMs = 100;
/** How long a session of ours may take to end after it was told to, in milliseconds. */
const endTimeout = 30_000;

/**
 * Makes the publication and then the slot of a job, or finds them as they should be. Making a slot waits for every
 * transaction that is open at that time.
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
    const hasNewTables = names.ownsPublication
      ? await publish(session, names.publication, tables)
      : await assertPublished(session, names.publication, tables);
    const position = await findSlot(session, names, job);
    return await whileTelling(settings, own, tell, async () => {
      if (!position) return await createSlot(session, names.slot, settings.failover === 'yes');
      if (hasNewTables) await untilOpenTransactionsEnded(session, own.signal);
      return position;
    });
  } catch (error) {
    // The server would go on waiting for others, and leave a slot behind.
    if (own.signal.aborted && pid) await endBackend(settings, own, pid);
    throw engineError(error, { side: 'source' });
  } finally {
    await session.end();
  }
}

/**
 * Adds tables to the publication of a job, and waits for every transaction that is open at that time, since one that is
 * older than the publication's change is not told; where nothing is missing, there is nothing to wait for.
 * @throws EngineError SLOT_MISSING or SETTING_MISSING where slot or publication are gone
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
      // Nobody knows since when they are in it.
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
 * Removes slot and publication of a job; those that an administrator named, or another role owns, stay.
 * @throws EngineError SLOT_TAKEN when a session reads the slot that is not of this job
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
 * Ends a session of this job that still reads its slot, as a killed process leaves one.
 * @throws EngineError SLOT_TAKEN when somebody else reads it, or the session does not end
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

/** In a publication they would make the UPDATE of their own application fail. */
function refuseUnfollowable(tables: readonly Table[]): void {
  for (const table of tables) assertFollowable(table);
}

/** Where the slot of the job stands; one of ours that is of no use any more is removed. */
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
  // The wait for open transactions is one for their locks.
  await session.query('SET lock_timeout = 0');
  const options = isForFailover ? ', failover => true' : '';
  const [lsn] = await askRow(session, `SELECT lsn FROM pg_create_logical_replication_slot($1, 'pgoutput'${options})`, [
    slot,
  ]);
  return positionAt(parseLsn(lsn ?? ''));
}

/** What they wrote into a table before it was published is not told, so its rows must be read after their end. */
async function untilOpenTransactionsEnded(session: pg.ClientBase, signal: AbortSignal): Promise<void> {
  // A number of our own: a snapshot ends at the last transaction that is over, and others may be open behind it.
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
    // It cannot be reached: the next reserve or release of the job ends that session.
  }
}
