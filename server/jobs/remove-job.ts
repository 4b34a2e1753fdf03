import { takeTurn } from '../console/account/take-turn.ts';
import type { Queries } from '../storage/database.ts';
import { readableDataSources } from './data-sources.ts';
import { type JobRow, move } from './jobs.ts';
import type { JobServices } from './services.ts';

/** Removes a job's row in the caller's transaction, unless someone else already has. */
export async function removeRow(queries: Queries, job: JobRow): Promise<void> {
  // Another job that uses the data sources may be created at the same time.
  await takeTurn(queries, job.uid);
  if (!(await move(queries, job.id, 'released'))) return;
  await queries.run('DELETE FROM data_job WHERE id = $1', [job.id]);
  if (job.practice) {
    await queries.run(
      `DELETE FROM data_source WHERE practice = 1 AND id IN ($1, $2)
       AND NOT EXISTS (SELECT 1 FROM data_job WHERE data_source.id IN (source_id, target_id))`,
      [job.source_id, job.target_id],
    );
  }
}

/** The statements that remove by hand what a job keeps on each of its sides. */
export async function removalOf(services: JobServices, job: JobRow): Promise<string> {
  const sides = ['source', 'target'] as const;
  const removals = sides.map(async (side) => {
    const [found] = await readableDataSources(services, 'id = $1', [job[`${side}_id`]]);
    const card = services.jobs.cards.find(({ family }) => family === found?.family);
    const statements = found && card ? card.removal(side, found.settings, job.name) : '';
    return statements === '' ? [] : [`At the ${side}: ${statements}`];
  });
  return (await Promise.all(removals)).flat().join(' ');
}
