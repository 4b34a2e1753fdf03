import { EngineError } from '../../errors.ts';
import type { Position } from '../../position.ts';
import type { PostgresSettings } from './card.ts';
import { connect } from './connect.ts';
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
 * Whether a server is what became of an earlier one up to a position: a standby that was promoted, behind that position.
 * @param earlier the incarnation that the position is of, and `present` that of the server now
 */
export async function continuesTimeline(
  settings: PostgresSettings,
  signal: AbortSignal,
  { earlier, present }: { earlier: string; present: string },
  newest: Position,
): Promise<boolean> {
  const [before, now] = [parseIncarnation(earlier), parseIncarnation(present)];
  if (!before || !now || before.system !== now.system || before.database !== now.database) return false;
  if (before.timeline >= now.timeline) return before.timeline === now.timeline;
  const session = await connect(settings, { side: 'source', signal, replication: true });
  try {
    const [, history] = await askRow(session, `TIMELINE_HISTORY ${now.timeline}`);
    const end = switchPoint(history ?? '', before.timeline);
    return end !== undefined && newest.order <= end.order;
  } catch (error) {
    throw engineError(error, { side: 'source', subject: `the history of timeline ${now.timeline}` });
  } finally {
    await session.end();
  }
}
