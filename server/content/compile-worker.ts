/** A thread that compiles pages one after another; its memory goes back when the start is done. */
import { parentPort, workerData } from 'node:worker_threads';
import { createCompiler } from './compile.ts';
import { pack } from './packed-page.ts';
import type { WorkerAnswer, WorkerSetup, WorkerTask } from './worker-messages.ts';

const setup: WorkerSetup = workerData;
const compile = createCompiler(setup.brand);
let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (task: WorkerTask) => {
  last = last.then(async () => {
    const page = await (await compile)(task.job);
    const answer: WorkerAnswer = { id: task.id, ...pack(page) };
    parentPort?.postMessage(answer);
  });
});
