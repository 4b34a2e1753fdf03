import { EngineError } from '../../errors.ts';
import type { Position } from '../../position.ts';
import type { PostgresSettings } from './card.ts';
import { connect, type SideOptions } from './connect.ts';
import { engineError } from './errors.ts';
import { parseLsn, positionAt } from './lsn.ts';
import { askRow } from './sessions.ts';

/** What the positions of a source belong to. */
interface Incarnation {
  system: string;
  timeline: number;
  database: string;
}

/** SQL for system, timeline and database: a restored backup is another source, and a promoted standby another timeline. */
export const incarnationSql = `
  SELECT (SELECT system_identifier FROM pg_control_system()),
    left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), oid
  FROM pg_database WHERE datname = current_database()`;

/** @returns undefined for what is none of PostgreSQL's */
function parseIncarnation(text: string): Incarnation | undefined {
  const [, system, timeline, database] = /^(\d+)\.([0-9A-F]{8})\.(\d+)$/.exec(text) ?? [];
  if (!system || !timeline || !database) return undefined;
  return { system, timeline: Number.parseInt(timeline, 16), database };
}

/**
 * Where a timeline ended, as the history of a later one says.
 * @param history text of the history file; its lines have an ancestor, the end of it, and why it ended
 * @returns undefined where the timeline is no ancestor
 * @throws EngineError UNEXPECTED where the text is no history
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
 * Up to where a server has the log of an earlier incarnation: one that was a standby of it has that up to its promotion.
 * @returns undefined where it is no successor
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
