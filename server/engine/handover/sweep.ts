import { type Key, keyOf, keyText } from '../change.ts';
import { forgetSeen, markUpdate, type RunningJob } from '../flow/running-job.ts';
import type { TableMark } from '../mark.ts';
import type { Chunk } from '../source.ts';
import { keepsKeyTexts } from './key-texts.ts';
import { againMs, heldAfter } from './readings.ts';
import { laterOf, type TableProgress } from './table-progress.ts';

/** Target keys that a sweep looks up at the source at a time. */
const sweepKeys = 2_000;

/** Whether a resync has every row, and only needs to delete what the source lacks. */
export function isSweepDue({ mark, route }: TableProgress): boolean {
  return mark.resync && !route.target.ordered && mark.ranges.length > 0 && mark.ranges.every(({ done }) => done);
}

/**
 * Deletes what the source lacks if the two sides sort keys differently: it walks the target's keys in the target's
 * order and looks them up at the source.
 * @throws EngineError
 */
export async function sweep(job: RunningJob, table: TableProgress): Promise<void> {
  if (!keepsKeyTexts(table.route)) return leaveRows(job, table);
  const { generation } = table;
  let after: Key | null = null;
  do after = await sweepAfter(job, table, generation, after);
  while (after);
}

/** The target's texts do not show what the source lacks: it is better to keep rows than to delete them all. */
function leaveRows(job: RunningJob, table: TableProgress): void {
  job.observer.event(
    'warning',
    'The key has a different type at the target, which writes it differently, so the job does not look for rows that the source lacks: any that the target has stay there.',
    table,
  );
}

/** @returns the last key that was checked; null if there are no more */
async function sweepAfter(
  job: RunningJob,
  table: TableProgress,
  generation: number,
  after: Key | null,
): Promise<Key | null> {
  const { route } = table;
  const keys = await job.sink.keys(route.target, after, sweepKeys);
  const read = async () => {
    const chunk = await job.source.read(route.source, { keys, onlyKeys: true }, route.selection.filter);
    forgetSeen(job, chunk);
    return chunk;
  };
  for (let tries = 1; ; tries++) {
    const known = tries > heldAfter ? undefined : await read();
    const isDone = await job.locks.with([table.id], async () => {
      if (table.generation !== generation || !table.isCopied) return true;
      return await deleteAbsent(job, table, keys, known ?? (await read()));
    });
    if (isDone) break;
    await job.clock.wait(againMs);
  }
  const isOver = table.generation !== generation || keys.length < sweepKeys;
  return isOver ? null : (keys.at(-1) ?? null);
}

/** @returns false if the source must be asked again */
async function deleteAbsent(
  job: RunningJob,
  table: TableProgress,
  keys: readonly Key[],
  chunk: Chunk,
): Promise<boolean> {
  const settled = table.touched.settle([], chunk.sees);
  if (!settled) return false;
  const absent = await absentKeys(job, table, keys, chunk, settled.keep);
  const mark: TableMark = { ...table.mark, liveAfter: laterOf(table.mark.liveAfter, chunk.end) };
  await job.sink.load(
    { table: table.route.target, rows: [], absent, replace: null, conflict: 'replace' },
    markUpdate(job, { tables: new Map([[table.id, mark]]) }),
  );
  table.mark = mark;
  job.observer.changed(table);
  return true;
}

/** Equal keys may have different texts on both sides: then the source counts them. */
async function absentKeys(
  job: RunningJob,
  table: TableProgress,
  keys: readonly Key[],
  chunk: Chunk,
  keep: readonly Key[],
): Promise<readonly Key[]> {
  const { source } = table.route;
  if (source.exactKey) {
    const there = new Set([...chunk.rows.map((row) => keyOf(source, row)), ...keep].map(keyText));
    return keys.filter((key) => !there.has(keyText(key)));
  }
  if (chunk.rows.length === keys.length) return [];
  return await absentAmong(job, table, keys);
}

/** Reads keys again, in halves until all or none of a part are there: one by one, each would cost round trips. */
async function absentAmong(job: RunningJob, table: TableProgress, keys: readonly Key[]): Promise<readonly Key[]> {
  const { source, selection } = table.route;
  const { rows } = await job.source.read(source, { keys, onlyKeys: true }, selection.filter);
  if (rows.length === keys.length) return [];
  if (rows.length === 0) return keys;
  const middle = Math.ceil(keys.length / 2);
  return [
    ...(await absentAmong(job, table, keys.slice(0, middle))),
    ...(await absentAmong(job, table, keys.slice(middle))),
  ];
}
