import type request from 'supertest';
import { openApi } from '../../client/contract/jobs/calls.ts';
import { openAsk } from '../jobs/ask.ts';
import type { JobServices } from '../jobs/services.ts';
import { Supervisor } from '../jobs/supervisor/supervisor.ts';
import { openTestConsole, type TestConsole } from './console.ts';
import { newcomer } from './newcomer.ts';
import { testedProgram } from './tested-program.ts';

/** A console with a supervisor, and the installation's owner signed in. */
export interface TestJobs {
  backend: TestConsole;
  uid: string;
  token: string;
  supervisor: Supervisor;
  /** A call of the open API with the owner's session, or with the given one. */
  open(name: string, body?: object, options?: { token?: string }): request.Test;
  /** The same, returning `data` of a call that must succeed. */
  data(name: string, body?: object): Promise<unknown>;
  close(): Promise<void>;
}

interface TestJobsOptions {
  env?: Record<string, string>;
  databaseUrl?: string | undefined;
  /** Changes to the job services, e.g. another child process. */
  jobs?: Partial<JobServices['jobs']>;
  /** How long jobs wait for one that is starting. */
  beginsMs?: number;
}

export async function openTestJobs({
  env = {},
  databaseUrl,
  jobs = {},
  beginsMs,
}: TestJobsOptions = {}): Promise<TestJobs> {
  const backend = await openTestConsole(env, databaseUrl);
  const { childEnv, stopping } = backend.services.jobs;
  const ask = openAsk({
    script: testedProgram('engine/answer'),
    env: childEnv,
    log: backend.services.log,
    stopping: stopping.signal,
    callMs: 110_000,
  });
  Object.assign(backend.services.jobs, { ask, childScript: testedProgram('engine/main') }, jobs);
  const { uid, token } = await newcomer(backend, 'owner@site.example');
  // Later accounts are not the owner.
  backend.pass(1);
  const supervisor = new Supervisor(backend.services, beginsMs);
  const open: TestJobs['open'] = (name, body = {}, options = { token }) =>
    backend.post(name.startsWith('/') ? name : `${openApi}/${name}`, body, options);
  return {
    backend,
    uid,
    token,
    supervisor,
    open,
    async data(name, body) {
      const answer = await open(name, body);
      if (answer.body.success !== true) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body.data;
    },
    async close() {
      backend.services.jobs.stopping.abort();
      await supervisor.stop();
      await backend.close();
    },
  };
}
