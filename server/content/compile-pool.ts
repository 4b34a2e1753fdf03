import { Worker } from 'node:worker_threads';
import type { Brand } from '../../client/contract/site.ts';
import { errorMessage } from '../error-message.ts';
import { programPath } from '../program-path.ts';
import type { CompileJob } from './compile.ts';
import type { CompiledJob, WorkerAnswer, WorkerTask } from './worker-messages.ts';

/** Compiles many pages on threads. A page that takes too long or kills its thread fails alone; the others continue. */
export interface CompilePool {
  /** Calls `done` for every job, in any order; after `close`, remaining jobs are reported as failed. */
  run(jobs: readonly CompileJob[], done: (index: number, made: CompiledJob) => void): Promise<void>;
  close(): Promise<void>;
}

export interface CompilePoolOptions {
  brand: Brand;
  threads: number;
  /** The thread's script; tests pass one that fails. */
  workerFile?: URL;
}

interface Run {
  jobs: readonly CompileJob[];
  next: number;
  done: (index: number, made: CompiledJob) => void;
  /** Threads that died one after another without an answer. */
  deaths: number;
}

/** How long a page may take. The first one also waits for the grammars. */
const answerMs = 60_000;
const inFlight = 2;
// A thread that cannot even start fails for every page: the start must not try it 5,000 times.
const maxDeaths = 20;

/** Creates a pool; threads start with the first run and stay until `close`. */
export function createCompilePool(options: CompilePoolOptions): CompilePool {
  const workerFile = options.workerFile ?? programPath('content/compile-worker');
  const idle: Worker[] = [];
  const busy = new Set<Worker>();
  let closed = false;

  function start(): Worker {
    const worker = new Worker(workerFile, {
      workerData: { brand: options.brand },
      // With a young generation of 16 MB, which a page's trees outlive, a third of the time went into collecting it.
      resourceLimits: { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 512 },
    });
    // The page that was being compiled reports the failure; a later error must not end the process.
    return worker.on('error', () => undefined);
  }

  /** Feeds one thread until no job is left; a dead thread is replaced. */
  async function work(run: Run): Promise<void> {
    const waiting: number[] = [];
    while (run.next < run.jobs.length || waiting.length > 0) {
      if (closed || run.deaths >= maxDeaths) return giveUp(run, waiting);
      const worker = idle.pop() ?? start();
      busy.add(worker);
      worker.ref();
      const reason = await feed(worker, run, waiting);
      busy.delete(worker);
      if (reason === undefined) {
        worker.unref();
        idle.push(worker);
        return;
      }
      run.deaths += 1;
      await worker.terminate();
      const failed = waiting.shift();
      if (failed !== undefined) run.done(failed, { failed: reason });
    }
  }

  return {
    async run(jobs, done) {
      const run: Run = { jobs, next: 0, done, deaths: 0 };
      const threads = Math.max(1, Math.min(options.threads, Math.ceil(jobs.length / 20)));
      await Promise.all(Array.from({ length: threads }, () => work(run)));
    },
    async close() {
      closed = true;
      await Promise.all([...idle.splice(0), ...busy].map((worker) => worker.terminate()));
    },
  };
}

function giveUp(run: Run, waiting: number[]): void {
  while (run.next < run.jobs.length) waiting.push(run.next++);
  for (const id of waiting.splice(0)) run.done(id, { failed: 'the compiler cannot run' });
}

/** Resolves with undefined when all is done, or with the reason why the thread cannot continue. */
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
      else timer = setTimeout(() => end(`it took longer than ${answerMs / 1000} seconds`), answerMs);
    };
    const send = (id: number): void => {
      waiting.push(id);
      post(worker, run, id);
    };
    const onMessage = ({ id, ...made }: WorkerAnswer): void => {
      waiting.splice(waiting.indexOf(id), 1);
      run.deaths = 0;
      run.done(id, made);
      next();
    };
    const onError = (error: unknown): void => end(errorMessage(error));
    const onExit = (): void => end('the compiler stopped');
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
