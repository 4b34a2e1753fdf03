import { EngineError } from '../../errors.ts';
import type { Position } from '../../position.ts';
import type { PostgresSettings } from './card.ts';
import { connect, type SideOptions } from './connect.ts';
import { engineError } from './errors.ts';
import { parseLsn, positionAt } from './lsn.ts';
import { askRow } from './sessions.ts';

/** What a source's positions belong to. */
interface Incarnation {
  system: string;
  timeline: number;
  database: string;
}

/** SQL for system, timeline and database: a restored backup is another source, a promoted standby another timeline. */
export const incarnationSql = `
  SELECT (SELECT system_identifier FROM pg_control_system()),
    left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), oid
  FROM pg_database WHERE datname = current_database()`;

/** @returns undefined for an incarnation that is not PostgreSQL's */
function parseIncarnation(text: string): Incarnation | undefined {
  const [, system, timeline, database] = /^(\d+)\.([0-9A-F]{8})\.(\d+)$/.exec(text) ?? [];
  if (!system || !timeline || !database) return undefined;
  return { system, timeline: Number.parseInt(timeline, 16), database };
}

/**
 * Where a timeline ended, according to the history of a later one.
 * @param history text of the history file; each line has an ancestor, where it ended, and why
 * @returns undefined if the timeline is not an ancestor
 * @throws EngineError UNEXPECTED if the text is not a history
 */
export function switchPoint(history: string, timeline: number): Position | undefined {
  const lines = history.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  let last = 0;
  let found: Position | undefined;
  for (const line of lines) {
    const [, ancestor, end] = /^(\d+)\t([0-9A-F]+\/[0-9A-F]+)(?:\t.*)?$/i.exec(line) ?? [];
    if (!ancestor || !end || Number(ancestor) <= last)
      throw new EngineError('UNEXPECTED', { side: 'source', subject: 'the history of a timeline' });
    last = Number(ancestor);
    if (last === timeline) found = positionAt(parseLsn(end));
  }
  return found;
}

/**
 * How far a server shares the log of an earlier incarnation: a former standby of it shares it up to the promotion.
 * @returns undefined if it is not a successor
 */
export async function sharedUntil(
  settings: PostgresSettings,
  own: SideOptions,
  earlier: string,
  present: string,
): Promise<Position | undefined> {
  const [before, now] = [parseIncarnation(earlier), parseIncarnation(present)];
  if (!before || !now || before.system !== now.system || before.database !== now.database) return undefined;
  if (before.timeline >= now.timeline) return undefined;
  const session = await connect(settings, { side: 'source', ...own, replication: true });
  try {
    const [, history] = await askRow(session, `TIMELINE_HISTORY ${now.timeline}`);
    return switchPoint(history ?? '', before.timeline);
  } catch (error) {
    throw engineError(error, { side: 'source', subject: `the history of timeline ${now.timeline}` });
  } finally {
    await session.end();
  }
}
