import { parentPort, workerData } from 'node:worker_threads';
import type { Brand } from '../../client/contract/site.ts';
import { errorMessage } from '../error-message.ts';
import type { Compile, CompileJob } from './compile.ts';
import { pack } from './packed-page.ts';
import type { CompiledJob, WorkerAnswer, WorkerSetup, WorkerTask } from './worker-messages.ts';

/** Answers every task that the loader posts. */
export function answerTasks(createCompiler: (brand: Brand) => Promise<Compile>): void {
  const setup: WorkerSetup = workerData;
  const compiler = createCompiler(setup.brand);
  let last: Promise<void> = Promise.resolve();

  async function made(job: CompileJob): Promise<CompiledJob> {
    try {
      const compile = await compiler;
      return { page: pack(await compile(job)) };
    } catch (error) {
      return { failed: errorMessage(error) };
    }
  }

  parentPort?.on('message', (task: WorkerTask) => {
    last = last.then(async () => {
      const answer: WorkerAnswer = { id: task.id, ...(await made(task.job)) };
      parentPort?.postMessage(answer);
    });
  });
}
