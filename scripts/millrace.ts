import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse as parseYaml } from 'yaml';
import { jobCalls } from '../client/contract/jobs/calls.ts';
import { errorMessage } from '../server/error-message.ts';
import { ApiRefusal, exitCodes, openApiClient, UsageError } from './millrace/api-client.ts';
import { findJobId, printJobs, printLogs, waitFor } from './millrace/jobs.ts';

const usage = `npm run millrace -- job create -f <job.yaml|job.json|->  creates a job from the fields of datajob/create
npm run millrace -- job start <job> [--wait]            starts it; --wait: until it runs
npm run millrace -- job stop <job> [--wait]             stops it; --wait: until it is stopped
npm run millrace -- job status [job]                    one line per job; for a single one also why tables are blocked
npm run millrace -- job logs <job> [--follow]           its events, oldest first

<job> is its number, its name (canal…) or its description. Set MILLRACE_URL (default http://localhost:3000) and
MILLRACE_KEY, an API key of the console, as <access key>.<secret>.

Exit codes: 0 done · 1 refused, the reason is on standard error · 2 wrong use · 3 the server was not reached ·
4 job status: a job has a fault · 5 --wait: the job did not get there within two minutes`;

/** @throws UsageError */
function readWords() {
  const file = { type: 'string', short: 'f', default: '' } as const;
  const options = { file, wait: { type: 'boolean' }, follow: { type: 'boolean' } } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(errorMessage(error));
  }
}

/** Reads a job from a YAML or JSON file; schemas and mapping may be objects instead of strings. */
function readJob(file: string): object {
  if (file === '') throw new UsageError('Name a file with the fields of the job: -f job.yaml');
  // npm runs scripts in the package's folder, wherever it was called.
  const path = file === '-' ? 0 : resolve(process.env.INIT_CWD ?? '.', file);
  let value: unknown;
  try {
    value = parseYaml(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} could not be read: ${errorMessage(error)}`);
  }
  if (typeof value !== 'object' || value === null) throw new UsageError(`${file} contains no fields.`);
  return value;
}

async function run(): Promise<number> {
  const { values: flags, positionals } = readWords();
  const [group = '', action = '', wanted = ''] = positionals;
  if (group !== 'job') throw new UsageError('Name what to do.');
  const client = openApiClient(process.env);
  switch (action) {
    case 'create': {
      console.log(await client.call(jobCalls.createJob, readJob(flags.file || wanted)));
      return exitCodes.done;
    }
    case 'start':
    case 'stop': {
      const jobId = await findJobId(client, wanted);
      await client.call(action === 'start' ? jobCalls.startJob : jobCalls.stopJob, { jobId });
      if (!flags.wait) return exitCodes.done;
      return waitFor(client, jobId, action === 'start' ? ['RUNNING', 'COMPLETE'] : ['STOP', 'COMPLETE']);
    }
    case 'status':
      return printJobs(client, wanted === '' ? undefined : await findJobId(client, wanted));
    case 'logs':
      return printLogs(client, await findJobId(client, wanted), flags.follow === true);
    default:
      throw new UsageError(`There is no action “${action}”.`);
  }
}

try {
  process.exitCode = await run();
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${usage}`);
    process.exitCode = exitCodes.wrongUse;
  } else if (error instanceof ApiRefusal) {
    console.error(error.message);
    process.exitCode = error.exitCode;
  } else throw error;
}
