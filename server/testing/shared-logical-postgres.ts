import type { TestProject } from 'vitest/node';
import { logicalCluster, startPostgres } from './postgres.ts';

/** One throw-away cluster for the whole run, whose log can be followed; told as `postgresUrl` of shared-postgres.ts. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres(logicalCluster);
  project.provide('postgresUrl', server.url);
  return () => server.stop();
}
