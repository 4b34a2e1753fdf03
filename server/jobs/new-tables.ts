import type { Queries } from '../storage/database.ts';
import { JobError } from './errors.ts';
import { addEvent } from './events.ts';
import { findJob, type JobRow, move } from './jobs.ts';
import { addsNewTables } from './new-job.ts';
import { readSelection, selectTables } from './selection.ts';

/** How many names an event lists. */
const mostNames = 10;

interface Named {
  schema: string;
  name: string;
}

/**
 * Adds tables that match a job's patterns, if it was created so, and restarts its process, which creates them at the
 * target and copies them while the others continue.
 * @param found source tables that the job does not carry
 */
export async function addNewTables(queries: Queries, id: number, found: readonly Named[], now: number): Promise<void> {
  const job = await findJob(queries, id);
  if (!job?.tables || !addsNewTables(job.request.wanted)) return;
  const event = (level: 'info' | 'warning', sentence: string) =>
    addEvent(queries, id, { at: now, level, table: null, sentence });
  try {
    const added = fitting(job, job.tables, found);
    if (added.length === 0) return;
    const tables = [...job.tables, ...added];
    await queries.run('UPDATE data_job SET tables = $1 WHERE id = $2', [JSON.stringify(tables), id]);
    const names = added.slice(0, mostNames).map(({ schema, name }) => `${schema}.${name}`);
    const more = added.length > mostNames ? ` and ${added.length - mostNames} more` : '';
    await event('info', `New tables match the patterns of the job and are added: ${names.join(', ')}${more}.`);
    await move(queries, id, 'restart', { nextTryAt: null });
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    await event('warning', `New tables match the patterns of the job and cannot be added: ${error.message}`);
  }
}

/** @throws JobError BAD_VALUE if one would clash with another at the target, or there are too many */
function fitting(job: JobRow, carried: NonNullable<JobRow['tables']>, found: readonly Named[]) {
  const request = job.request.wanted;
  const isCarried = ({ schema, name }: Named) => carried.some((one) => one.schema === schema && one.name === name);
  // All of them, so that clashing names are found.
  const all = selectTables(request, readSelection(request), [...carried, ...found]);
  const added = all.filter(
    (table) => !isCarried(table) && found.some((one) => one.schema === table.schema && one.name === table.name),
  );
  return added.map((table) => ({ ...table, isLater: true as const }));
}
