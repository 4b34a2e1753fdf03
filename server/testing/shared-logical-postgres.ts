import type { TestProject } from 'vitest/node';
import { sharedCluster, startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL server for all tests of the run; each test creates its own databases. */
    postgresUrl: string;
  }
}

/** One throw-away cluster for the whole run, whose log can be followed. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres(sharedCluster);
  project.provide('postgresUrl', server.url);
  return () => server.stop();
}
