import type { TestProject } from 'vitest/node';
import { sharedCluster, startPostgres } from './postgres.ts';
import { preparePostgres18 } from './postgres-18.ts';

/**
 * A PostgreSQL 18 cluster for the whole run, provided as `postgresUrl`; its package lacks what would shift its
 * transaction IDs.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { programs, remove } = preparePostgres18();
  const server = await startPostgres({ ...sharedCluster, programs, epoch: 0 });
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    remove();
  };
}
