import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse as parseYaml } from 'yaml';
import { jobCalls } from '../client/contract/jobs/calls.ts';
import { errorMessage } from '../server/error-message.ts';
import { ApiRefusal, exitCodes, openApiClient, UsageError } from './millrace/api-client.ts';
import { findJob, isUnderWay, printJobs, printLogs, type ShownJob, waitFor } from './millrace/jobs.ts';

const usage = `npm run millrace -- job create -f <job.yaml|job.json|->  creates a job from the fields of datajob/create
npm run millrace -- job start <job> [--wait]            starts it; --wait: until it copies or follows
npm run millrace -- job stop <job> [--wait]             stops it; --wait: until it is stopped
npm run millrace -- job delete <job> [--wait]           deletes it; --wait: until what it keeps on both sides is gone
npm run millrace -- job status [job]                    one line per job; for a single one also why tables are blocked
npm run millrace -- job logs <job> [--follow]           its events, oldest first

<job> is its number, its name (canal…) or its description. Set MILLRACE_URL (default http://localhost:3000) and
MILLRACE_KEY, an API key of the console, as <access key>.<secret>.

Exit codes: 0 done · 1 refused, the reason is on standard error · 2 wrong use · 3 the server was not reached ·
4 job status: a job has a fault · 5 --wait: the job did not get there within two minutes`;

/** The flags that an action takes; each takes at most one word. */
const flagsOf: Readonly<Record<string, readonly string[]>> = {
  create: ['file'],
  start: ['wait'],
  stop: ['wait'],
  delete: ['wait'],
  status: [],
  logs: ['follow'],
};

/** @throws UsageError */
function readWords() {
  const file = { type: 'string', short: 'f' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { file, wait: flag, follow: flag, help: { ...flag, short: 'h' } } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(errorMessage(error));
  }
}

/** Words that would be ignored may mean another job than the one that is found. @throws UsageError */
function requireAll(action: string, flags: object, more: readonly string[]): void {
  const known = flagsOf[action];
  if (!known) throw new UsageError(`There is no action “${action}”.`);
  const [word] = more;
  if (word !== undefined) throw new UsageError(`“${word}” is too much: put a name that contains spaces in quotes.`);
  const stray = Object.keys(flags).find((name) => !known.includes(name));
  if (stray !== undefined) throw new UsageError(`“job ${action}” has no --${stray}.`);
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
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${file} contains no fields.`);
  return value;
}

async function run(): Promise<number> {
  const { values: flags, positionals } = readWords();
  if (flags.help) {
    console.log(usage);
    return exitCodes.done;
  }
  const [group = '', action = '', wanted = '', ...more] = positionals;
  if (group !== 'job' || action === '') throw new UsageError('Name what to do.');
  // The file of a job may be named without its flag, too.
  requireAll(action, flags, flags.file === undefined ? more : positionals.slice(2));
  const client = openApiClient(process.env);
  switch (action) {
    case 'create': {
      console.log(await client.call(jobCalls.createJob, readJob(flags.file ?? wanted)));
      return exitCodes.done;
    }
    case 'start': {
      const { dataJobId: jobId, seenAt } = await findJob(client, wanted);
      await client.call(jobCalls.startJob, { jobId });
      return flags.wait
        ? waitFor(client, jobId, (job) => job !== undefined && isUnderWay(job, seenAt))
        : exitCodes.done;
    }
    case 'stop': {
      const { dataJobId: jobId } = await findJob(client, wanted);
      await client.call(jobCalls.stopJob, { jobId });
      const isOver = (job: ShownJob | undefined) => ['STOP', 'COMPLETE'].includes(job?.currTaskStatus ?? '');
      return flags.wait ? waitFor(client, jobId, isOver) : exitCodes.done;
    }
    case 'delete': {
      const { dataJobId: jobId } = await findJob(client, wanted);
      await client.call(jobCalls.deleteJob, { jobId });
      return flags.wait ? waitFor(client, jobId, (job) => job === undefined) : exitCodes.done;
    }
    case 'status':
      return printJobs(client, wanted === '' ? undefined : (await findJob(client, wanted)).dataJobId);
    default:
      return printLogs(client, (await findJob(client, wanted)).dataJobId, flags.follow === true);
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
