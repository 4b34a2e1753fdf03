import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { JobSpec } from '../../engine/job.ts';
import { type Command, type Fault, type Report, type Retry, reportSchema } from '../../engine/protocol.ts';
import type { Log } from '../../log.ts';

/** How a child process ended. */
export type ChildEnd = { kind: 'ended'; complete: boolean } | { kind: 'failed'; fault: Fault };

export interface Child {
  readonly startedAt: number;
  /** Hands it its job. */
  begin(): void;
  send(command: Command): void;
  /** Whether it was asked to stop: it carries out nothing more. */
  readonly isStopping: boolean;
  /** Asks it to stop at a commit, and kills it if it does not in time. */
  stop(graceMs: number): void;
  /** Ends it at once. */
  kill(): Promise<void>;
  readonly end: Promise<ChildEnd>;
}

/** What a child reports while it runs. */
export type RunningReport = Exclude<Report, { kind: 'ended' | 'failed' }>;

interface ChildOptions {
  script: string;
  env: Readonly<Record<string, string>>;
  spec: JobSpec;
  /** For a complete job, which runs for nothing else. */
  retries?: readonly Retry[] | undefined;
  /** For the whole process: the heap flag does not bound buffers. */
  memoryMb: number;
  log: Log;
  onReport(report: RunningReport): void;
}

const lookAtMemoryMs = 1_000;
const pageBytes = 4_096;

/** Flags that keep the heap within a process of this many MB: a small part for young objects, most for old ones. */
export function heapFlags(memoryMb: number): string[] {
  return [
    `--max-old-space-size=${Math.round(memoryMb * 0.5)}`,
    `--max-semi-space-size=${Math.min(16, Math.round(memoryMb / 32))}`,
  ];
}

/**
 * Starts a job process, which waits for `begin`. Its output is not logged: what a driver prints may hold values.
 * @throws if the system cannot create a process
 */
export async function startChild({
  script,
  env,
  spec,
  retries,
  memoryMb,
  log,
  onReport,
}: ChildOptions): Promise<Child> {
  const process = fork(script, [], {
    env,
    execArgv: heapFlags(memoryMb),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  await once(process, 'spawn');
  void offerToKernel(process);
  const watch = watchMemory(process, memoryMb);
  let outOfMemory = false;
  process.stderr?.on('data', (chunk: Buffer) => {
    outOfMemory ||= chunk.includes('heap out of memory');
  });
  let last: ChildEnd | undefined;
  process.on('message', (message) => {
    const report = reportSchema.safeParse(message);
    if (!report.success) return log.error({ job: spec.id }, 'a job sent an invalid report');
    if (report.data.kind === 'ended' || report.data.kind === 'failed') last = report.data;
    else onReport(report.data);
  });
  const send = (command: Command) => {
    // The end of a process that has exited is reported anyway.
    if (process.connected) process.send(command, () => undefined);
  };
  let killing: NodeJS.Timeout | undefined;
  const end = endOf(process).then((how): ChildEnd => {
    clearInterval(watch.timer);
    clearTimeout(killing);
    if (watch.exceeded() || outOfMemory) return { kind: 'failed', fault: memoryFault(memoryMb) };
    return last ?? { kind: 'failed', fault: crashFault(how) };
  });
  return {
    startedAt: performance.now(),
    begin: () => send({ kind: 'start', spec, ...(retries && { retries: [...retries] }) }),
    send,
    get isStopping() {
      return killing !== undefined;
    },
    stop(graceMs) {
      if (killing) return;
      send({ kind: 'stop' });
      killing = setTimeout(() => process.kill('SIGKILL'), graceMs);
    },
    async kill() {
      process.kill('SIGKILL');
      await end;
    },
    end,
  };
}

/**
 * If the machine or the container runs out of memory, the kernel ends the largest process, which may be this server: its
 * jobs begin again at their checkpoint, so one of them ends instead.
 */
async function offerToKernel({ pid }: ChildProcess): Promise<void> {
  // It has ended, or this is not Linux.
  await writeFile(`/proc/${pid}/oom_score_adj`, '500').catch(() => undefined);
}

/** Resolves once the process has exited and its last message was read. */
function endOf(process: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let how: string | undefined;
    const done = () => {
      if (how !== undefined && !process.connected) resolve(how);
    };
    process.once('error', () => {
      how ??= 'it could not be started';
      done();
    });
    process.once('exit', (code, signal) => {
      how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      done();
    });
    process.once('disconnect', done);
  });
}

/** Kills a process that exceeds its memory limit; where the system does not report it, only the heap limit applies. */
function watchMemory(process: ChildProcess, memoryMb: number) {
  let exceeded = false;
  const look = async () => {
    const statm = await readFile(`/proc/${process.pid}/statm`, 'utf8').catch(() => ''); // it has ended, or this is not Linux
    const resident = Number(statm.split(' ')[1] ?? 0) * pageBytes;
    if (resident <= memoryMb * 1024 * 1024) return;
    exceeded = true;
    process.kill('SIGKILL');
  };
  return { timer: setInterval(look, lookAtMemoryMs).unref(), exceeded: () => exceeded };
}

function memoryFault(memoryMb: number): Fault {
  return {
    code: 'MEMORY_LIMIT',
    sentence: `The job reached its memory limit of ${memoryMb} MB.`,
    hint: 'Choose a larger size for the job.',
    retry: 'timed',
  };
}

function crashFault(how: string): Fault {
  const kernel = how === 'signal SIGKILL' ? ', as by a kernel without memory' : '';
  return {
    code: 'UNEXPECTED',
    sentence: `The job process ended unexpectedly (${how}${kernel}).`,
    hint: 'The job continues automatically from its checkpoint.',
    retry: 'timed',
  };
}
