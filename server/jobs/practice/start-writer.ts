import { fork } from 'node:child_process';
import { programPath } from '../../program-path.ts';
import type { JobServices } from '../services.ts';
import { practiceSource } from './files.ts';

const script = programPath('jobs/practice/write-rows-process');

/** Starts the writer of a practice pair's source for as long as its job runs. @returns a function that ends it */
export function startWriter(services: JobServices, jobName: string): () => void {
  const writer = fork(script, [practiceSource(services, jobName)], {
    env: services.jobs.childEnv,
    execArgv: ['--max-old-space-size=32'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  writer.on('error', (error) =>
    services.log.warn({ err: error }, 'the writer of a practice pair could not be started'),
  );
  return () => void writer.kill('SIGKILL');
}
