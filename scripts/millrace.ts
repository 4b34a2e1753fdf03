import { parseArgs } from 'node:util';
import { jobCalls } from '../client/contract/jobs/calls.ts';
import { errorMessage } from '../server/error-message.ts';
import { type ApiClient, ApiRefusal, exitCodes, openApiClient, UsageError } from './millrace/api-client.ts';
import { readFields } from './millrace/fields.ts';
import { printFindings } from './millrace/findings.ts';
import { findJob, isUnderWay, printJobs, printLogs, type ShownJob, waitFor } from './millrace/jobs.ts';
import { deleteSource, printSources, testSource } from './millrace/sources.ts';

const usage = `npm run millrace -- source list                     the data sources with their last tests
npm run millrace -- source add -f <file>            stores one with the fields of datasource/addds, and prints its number
npm run millrace -- source test <source>            connects to it: its version, and what is missing
npm run millrace -- source delete <source>          deletes one that no job uses
npm run millrace -- job check -f <file>             checks a job that was not created yet
npm run millrace -- job create -f <file>            creates a job with the fields of datajob/create, and prints its number
npm run millrace -- job start <job> [--wait]        starts it; --wait: until it copies or follows
npm run millrace -- job stop <job> [--wait]         stops it; --wait: until it is stopped
npm run millrace -- job delete <job> [--wait]       deletes it; --wait: until what it keeps on both sides is gone
npm run millrace -- job delete <job> --leave-rest   deletes it although a side is gone for good: what it keeps there stays
npm run millrace -- job status [job]                one line per job; for a single one also why tables are blocked
npm run millrace -- job logs <job> [--follow]       its events, oldest first

<file> is YAML or JSON, - is standard input. <source> and <job> are a number, a name (pg-…, canal…) or a description.
Set MILLRACE_URL (default http://localhost:3000) and MILLRACE_KEY, an API key of the console, as <access key>.<secret>.

Exit codes: 0 done · 1 refused, the reason is on standard error; a check found a fault · 2 wrong use · 3 the server was
not reached · 4 job status: a job has a fault, or blocked tables · 5 --wait: the job did not get there within two
minutes; --follow: the server did not answer for two minutes. A server that is away for less is asked again.`;

interface Flags {
  file?: string;
  wait?: boolean;
  'leave-rest'?: boolean;
  follow?: boolean;
}

/** An action: the flags that it takes, and what it does with the word that names a job, a data source or a file. */
interface Command {
  flags: readonly (keyof Flags)[];
  /** @returns the exit code */
  run(client: ApiClient, wanted: string, flags: Flags): Promise<number>;
}

const ofFile = ['file'] as const;
const waits = ['wait'] as const;

const groups: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  source: {
    list: { flags: [], run: printSources },
    add: { flags: ofFile, run: (client, wanted, { file }) => create(client, jobCalls.addDataSource, file ?? wanted) },
    test: { flags: [], run: testSource },
    delete: { flags: [], run: deleteSource },
  },
  job: {
    check: {
      flags: ofFile,
      run: async (client, wanted, { file }) =>
        printFindings(await client.call(jobCalls.precheck, readFields(file ?? wanted))),
    },
    create: { flags: ofFile, run: (client, wanted, { file }) => create(client, jobCalls.createJob, file ?? wanted) },
    start: { flags: waits, run: startJob },
    stop: { flags: waits, run: stopJob },
    delete: { flags: ['wait', 'leave-rest'], run: deleteJob },
    status: {
      flags: [],
      run: async (client, wanted) =>
        printJobs(client, wanted === '' ? undefined : (await findJob(client, wanted)).dataJobId),
    },
    logs: {
      flags: ['follow'],
      run: async (client, wanted, { follow = false }) =>
        printLogs(client, (await findJob(client, wanted)).dataJobId, follow),
    },
  },
};

/** Makes a call with the fields of a file, and prints the number that it returns. */
async function create(client: ApiClient, call: string, file: string): Promise<number> {
  console.log(await client.call(call, readFields(file)));
  return exitCodes.done;
}

async function startJob(client: ApiClient, wanted: string, { wait }: Flags): Promise<number> {
  const { dataJobId: jobId, seenAt } = await findJob(client, wanted);
  await client.call(jobCalls.startJob, { jobId });
  return wait ? waitFor(client, jobId, (job) => job !== undefined && isUnderWay(job, seenAt)) : exitCodes.done;
}

async function stopJob(client: ApiClient, wanted: string, { wait }: Flags): Promise<number> {
  const { dataJobId: jobId } = await findJob(client, wanted);
  await client.call(jobCalls.stopJob, { jobId });
  const isOver = (job: ShownJob | undefined) => ['STOP', 'COMPLETE'].includes(job?.currTaskStatus ?? '');
  return wait ? waitFor(client, jobId, isOver) : exitCodes.done;
}

async function deleteJob(client: ApiClient, wanted: string, { wait, 'leave-rest': leaveRest }: Flags): Promise<number> {
  const { dataJobId: jobId } = await findJob(client, wanted);
  await client.call(jobCalls.deleteJob, { jobId, ...(leaveRest && { leaveRest }) });
  return wait ? waitFor(client, jobId, (job) => job === undefined) : exitCodes.done;
}

/** @throws UsageError */
function readWords() {
  const file = { type: 'string', short: 'f' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { file, wait: flag, 'leave-rest': flag, follow: flag, help: { ...flag, short: 'h' } } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(errorMessage(error));
  }
}

/** Words that would be ignored may mean another job than the one that is found. @throws UsageError */
function requireAll(name: string, { flags: known }: Command, flags: Flags, more: readonly string[]): void {
  const [word] = more;
  if (word !== undefined) throw new UsageError(`“${word}” is too much: put a name that contains spaces in quotes.`);
  const stray = Object.keys(flags).find((flag) => !known.some((one) => one === flag));
  if (stray !== undefined) throw new UsageError(`“${name}” has no --${stray}.`);
}

async function run(): Promise<number> {
  const { values, positionals } = readWords();
  const { help, ...flags } = values;
  if (help) {
    console.log(usage);
    return exitCodes.done;
  }
  const [group = '', action = '', wanted = '', ...more] = positionals;
  const actions = Object.hasOwn(groups, group) ? groups[group] : undefined;
  if (!actions || action === '') throw new UsageError('Name what to do.');
  const command = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!command) throw new UsageError(`There is no action “${group} ${action}”.`);
  // A file may be named without its flag, too.
  requireAll(`${group} ${action}`, command, flags, flags.file === undefined ? more : positionals.slice(2));
  return command.run(openApiClient(process.env), wanted, flags);
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
