import type { Refused } from '../batch.ts';
import { type Key, keyOf, keyText, type Row } from '../change.ts';
import { isOfRow, isOfTable, isUniqueRefused } from '../errors.ts';
import { betweenTriesMs, mayTryAgain, mostTries } from '../flow/lock-patience.ts';
import { routeRow } from '../flow/route.ts';
import { forgetSeen, markUpdate, type RunningJob } from '../flow/running-job.ts';
import { markedKey, type Reread, type TableMark } from '../mark.ts';
import type { Position } from '../position.ts';
import { mendTarget } from '../schema/mend.ts';
import { makeRoom } from './make-room.ts';
import { park, parkedSentence, parkedUpdate } from './parked.ts';
import { hasWaited, mayPostpone, postpone } from './postponed.ts';
import type { TableProgress } from './table-progress.ts';
import { blockLocked } from './table-requests.ts';

/** How often the target is mended for the same rows, or others make room for them, before they count as refused. */
export const mostRounds = 100;

/** How long to wait for a snapshot that sees a transaction that is decoded and not visible yet, in milliseconds. */
const visibleWaitMs = 50;

/** The rows of a table to be reread. */
export function rereadsOf({ rereads }: RunningJob, { id }: TableProgress): Reread[] {
  return rereads.filter(({ table }) => table === id);
}

/**
 * Rereads rows that the target lacks and the stream delivered only in part, or that made room for others. The caller
 * holds the locks of their tables, so that nothing newer is applied meanwhile, and `rereadsLock`.
 * @param most tries while another session has locked the table
 * @throws EngineError LOCK_TIMED_OUT; the rows remain to be reread
 */
export async function rereadRows(job: RunningJob, rereads: readonly Reread[], most = mostTries): Promise<void> {
  for (const [id, ofTable] of Map.groupBy(rereads, ({ table }) => table))
    for (const [isLast, some] of Map.groupBy(ofTable, (reread) => hasWaited(job, reread)))
      await rereadSome(job, job.tables.get(id), some, { most, isLast });
}

/** The same for one table; `isLast`: its rows no longer wait until their unique values are free. */
async function rereadSome(
  job: RunningJob,
  table: TableProgress | undefined,
  rereads: readonly Reread[],
  { most, isLast }: { most: number; isLast: boolean },
): Promise<void> {
  const left = job.rereads.filter((reread) => !rereads.includes(reread));
  const mayWait = !isLast && table !== undefined && mayPostpone(job, table);
  try {
    if (table && !table.isSkipped) await rereadTable(job, table, { rereads, left, most, mayWait });
    else await job.sink.write(markUpdate(job, { rereads: left }));
  } catch (error) {
    if (mayWait && isUniqueRefused(error)) {
      job.rereads = await postpone(job, rereads, left);
      return;
    }
    // An error that passes on its own is no reason to block: the copier, or the next process, reads the rows.
    if (!table || !isOfTable(error) || error.retry === 'timed') throw error;
    await blockLocked(job, table, error, left);
  }
  job.rereads = left;
}

interface RereadTask {
  rereads: readonly Reread[];
  left: readonly Reread[];
  most: number;
  mayWait?: boolean;
}

/**
 * Updates rows of one table to what the source has now; rows that are not refused are no longer parked. Rows that do
 * not fit into memory together are read in parts: the mark lists all of them until the last part is written.
 * @param task the rows to reread, those left to read afterwards, how often a lock is waited for, and whether a row
 * whose unique value another one holds is an error instead of being parked
 * @returns rows that were refused
 */
export async function rereadTable(
  job: RunningJob,
  table: TableProgress,
  task: RereadTask,
): Promise<readonly Refused[]> {
  const { refused, early } = await rereadParts(job, table, task);
  // The values that the early ones want may have been held by rows of later parts.
  const again = early.length > 0 ? await rereadParts(job, table, { ...task, rereads: early }) : { refused: [], early };
  const keys = new Set(early.map(({ key }) => keyText(markedKey(key))));
  job.rereads = task.left;
  return [...refused.filter(({ key }) => !keys.has(keyText(key))), ...again.refused];
}

/** @returns what was refused; `early`: of that, what a part after it may have made room for, which the mark still lists */
async function rereadParts(
  job: RunningJob,
  table: TableProgress,
  { rereads, left, most, mayWait = false }: RereadTask,
): Promise<{ refused: readonly Refused[]; early: readonly Reread[] }> {
  const refused: Refused[] = [];
  const early: Reread[] = [];
  for (let wanted = rereads; ; ) {
    const tries: Tries = { rounds: 0, most, mayPark: false, mayWait };
    const part = await rereadPart(job, table, { rereads: wanted, left: [...left, ...early] }, tries);
    refused.push(...part.refused);
    if (part.unread.length === 0) return { refused, early };
    const keys = new Set(part.refused.filter(({ error }) => isUniqueRefused(error)).map(({ key }) => keyText(key)));
    early.push(...wanted.filter(({ key }) => keys.has(keyText(markedKey(key)))));
    wanted = part.unread;
  }
}

/** Rereads the first of these rows, as many as fit into memory. @returns what is still to be read, too */
async function rereadPart(
  job: RunningJob,
  table: TableProgress,
  { rereads, left }: Pick<RereadTask, 'rereads' | 'left'>,
  tries: Tries,
): Promise<{ refused: readonly Refused[]; unread: readonly Reread[] }> {
  const wanted = [...rereads];
  for (;;) {
    let rows: readonly Row[] = [];
    try {
      const read = await readWanted(job, table, wanted);
      rows = read.rows;
      const { mayPark, mayWait } = tries;
      const stored = read.unread.length === 0 ? left : undefined;
      const refused = await writeInTurns(job, table, { ...read, mayPark, mayWait }, stored);
      table.notLiveBefore(read.end);
      return { refused, unread: read.unread };
    } catch (error) {
      wanted.push(...(await mend(job, table, error, { rows, tries })));
    }
  }
}

/** What was done so far to get rows in. */
interface Tries {
  rounds: number;
  /** The limit on tries while another session has locked the table. */
  most: number;
  /** Rows were refused, and the target could not be mended. */
  mayPark: boolean;
  /** Rows are not parked for their unique values. */
  mayWait: boolean;
}

/**
 * Makes the target accept what it refused, as for rows from the log: another session's lock ends, other rows make room,
 * the target gets a new label or partition, or the refused rows are parked.
 * @returns further rows to reread
 * @throws what keeps the rows from the target
 */
async function mend(
  job: RunningJob,
  table: TableProgress,
  error: unknown,
  { rows, tries }: { rows: readonly Row[]; tries: Tries },
): Promise<Reread[]> {
  tries.rounds++;
  if (!isOfTable(error)) throw error;
  const mayGoOn = error.retry === 'timed' ? mayTryAgain(job, tries.rounds, tries.most) : tries.rounds < mostRounds;
  if (!mayGoOn) throw error;
  if (error.retry === 'timed') {
    await job.clock.wait(betweenTriesMs);
    return [];
  }
  if (tries.mayWait && isUniqueRefused(error)) throw error;
  const evicted = table.mayMakeRoom && isUniqueRefused(error) ? await makeRoom(job, table, rows) : [];
  if (evicted.length > 0) return evicted;
  const mended = await mendTarget(job, table, error);
  if (mended === true) return [];
  if (tries.mayPark || !isOfRow(mended)) throw mended;
  tries.mayPark = true;
  return [];
}

/** The first of these rows, as the source has them now; `unread`: those that it was not asked for yet. */
async function readWanted(
  job: RunningJob,
  table: TableProgress,
  wanted: readonly Reread[],
): Promise<Omit<Read, 'mayPark' | 'mayWait'> & { unread: readonly Reread[] }> {
  const byKey = Map.groupBy(wanted, ({ key }) => keyText(markedKey(key)));
  const all = [...byKey.values()].flatMap(([one]): Key[] => (one ? [markedKey(one.key)] : []));
  const { rows, end, last } = await readKeys(job, table, all, wanted);
  const keys = last ? all.slice(0, all.indexOf(last) + 1) : all;
  const found = new Set(rows.map((row) => keyText(keyOf(table.route.target, row))));
  const absent = keys.filter((key) => !found.has(keyText(key)));
  return { rows, absent, keys, end, unread: [...byKey.values()].slice(keys.length).flat() };
}

/**
 * Rows may hold each other's values: the old ones are deleted before the new ones are written.
 * @param left the rows to reread that the mark then lists; undefined leaves its list as it is
 */
async function writeInTurns(
  job: RunningJob,
  table: TableProgress,
  read: Read,
  left: readonly Reread[] | undefined,
): Promise<readonly Refused[]> {
  const refused = await write(job, table, read, left);
  const waiting = refused.filter(({ error }) => isUniqueRefused(error)).map(({ key }) => keyText(key));
  if (waiting.length < 2) return refused;
  const again = read.rows.filter((row) => waiting.includes(keyText(keyOf(table.route.target, row))));
  const theirs = again.map((row) => keyOf(table.route.target, row));
  const still = await write(job, table, { ...read, rows: again, absent: theirs, keys: theirs }, left);
  return [...refused.filter(({ key }) => !waiting.includes(keyText(key))), ...still];
}

interface Read {
  rows: readonly Row[];
  absent: readonly Key[];
  /** The keys of both. */
  keys: readonly Key[];
  /** The end of the source's log, asked for after they were read. */
  end: Position;
  mayPark: boolean;
  mayWait: boolean;
}

async function write(
  job: RunningJob,
  table: TableProgress,
  { rows, absent, keys, end, mayPark, mayWait }: Read,
  rereads: readonly Reread[] | undefined,
): Promise<readonly Refused[]> {
  const mark: TableMark = { ...table.mark, aheadUntil: end };
  const left = new Map(table.parked);
  for (const key of keys) left.delete(keyText(key));
  let parked = table.parked;
  let refused: readonly Refused[] = [];
  // A full copy that keeps rows it finds does so after its end too.
  const keeps = table.isFinished && !table.mark.resync && job.spec.conflict === 'ignore';
  const found = keeps ? { absent: [], conflict: 'ignore' as const } : { absent, conflict: 'replace' as const };
  await job.sink.load(
    { table: table.route.target, rows, replace: null, ...found, ...(mayPark && table.parks) },
    markUpdate(job, { ...(rereads && { rereads }), tables: new Map([[table.id, mark]]) }),
    (met) => {
      const waiting = mayWait ? met.find(({ error }) => isUniqueRefused(error)) : undefined;
      if (waiting) throw waiting.error;
      refused = met;
      parked = park(table, left, met, { position: end.resume, at: job.clock.now() });
      return parkedUpdate(table, parked);
    },
  );
  table.parked = parked;
  // The copier may have cut the table meanwhile.
  table.mark = { ...table.mark, aheadUntil: end };
  table.noteReadAgain(keys, end, job.position);
  job.observer.changed(table);
  if (refused.length > 0) job.observer.event('warning', parkedSentence(refused), table);
  return refused;
}

async function readKeys(job: RunningJob, table: TableProgress, keys: readonly Key[], because: readonly Reread[]) {
  for (;;) {
    const { source, selection } = table.route;
    const chunk = await job.source.read(source, { keys }, selection.filter);
    forgetSeen(job, chunk);
    if (because.every(({ transactions }) => transactions.every(chunk.sees)))
      return { rows: chunk.rows.map((row) => routeRow(table.route, row)), end: chunk.end, last: chunk.last };
    await job.clock.wait(visibleWaitMs);
  }
}
