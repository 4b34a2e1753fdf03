/** Compiles many pages on threads. A page that takes too long or ends its thread is broken; the others go on. */
import { Worker } from 'node:worker_threads';
import type { Brand } from '../../client/contract/site.ts';
import type { CompileJob } from './compile.ts';
import { type PackedPage, pack } from './packed-page.ts';
import { brokenPage } from './page-facts.ts';
import type { WorkerAnswer, WorkerTask } from './worker-messages.ts';

export interface CompilePool {
  /** Calls `done` for every job, in any order. */
  run(jobs: readonly CompileJob[], done: (index: number, page: PackedPage) => void): Promise<void>;
  close(): Promise<void>;
}

interface Run {
  jobs: readonly CompileJob[];
  next: number;
  done: (index: number, page: PackedPage) => void;
}

// The first page waits for the grammars too.
const longestMs = 60_000;
const inFlight = 2;

/** Creates a pool; threads start with the first run and stay until `close`. */
export function createCompilePool(options: { brand: Brand; threads: number }): CompilePool {
  const idle: Worker[] = [];
  const start = (): Worker => {
    const worker = new Worker(new URL('./compile-worker.ts', import.meta.url), {
      workerData: { brand: options.brand },
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 },
    });
    // A late error must not end the process.
    return worker.on('error', () => undefined);
  };
  return {
    async run(jobs, done) {
      const run: Run = { jobs, next: 0, done };
      const threads = Math.max(1, Math.min(options.threads, Math.ceil(jobs.length / 20)));
      await Promise.all(Array.from({ length: threads }, () => work(run, idle, start)));
    },
    async close() {
      await Promise.all(idle.splice(0).map((worker) => worker.terminate()));
    },
  };
}

/** Feeds one thread until no job is left; a thread that dies is replaced. */
async function work(run: Run, idle: Worker[], start: () => Worker): Promise<void> {
  const waiting: number[] = [];
  while (run.next < run.jobs.length || waiting.length > 0) {
    const worker = idle.pop() ?? start();
    worker.ref();
    const reason = await feed(worker, run, waiting);
    if (reason === undefined) {
      worker.unref();
      idle.push(worker);
      return;
    }
    await worker.terminate();
    const failed = waiting.shift();
    const job = failed === undefined ? undefined : run.jobs[failed];
    if (failed !== undefined && job)
      run.done(failed, pack(brokenPage([`The file ${job.file} could not be compiled: ${reason}`])));
  }
}

/** Resolves with nothing when all is done, or with the reason why the thread cannot go on. */
function feed(worker: Worker, run: Run, waiting: number[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (reason: string | undefined): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve(reason);
    };
    const next = (): void => {
      clearTimeout(timer);
      while (waiting.length < inFlight && run.next < run.jobs.length) send(run.next++);
      if (waiting.length === 0) end(undefined);
      else timer = setTimeout(() => end(`it took longer than ${longestMs / 1000} seconds.`), longestMs);
    };
    const send = (id: number): void => {
      waiting.push(id);
      post(worker, run, id);
    };
    const onMessage = (answer: WorkerAnswer): void => {
      waiting.splice(waiting.indexOf(answer.id), 1);
      run.done(answer.id, answer);
      next();
    };
    const onError = (error: unknown): void => end(error instanceof Error ? error.message : String(error));
    const onExit = (): void => end('the compiler stopped.');
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    for (const id of waiting) post(worker, run, id);
    next();
  });
}

function post(worker: Worker, run: Run, id: number): void {
  const job = run.jobs[id];
  const task: WorkerTask | undefined = job && { id, job };
  worker.postMessage(task);
}
