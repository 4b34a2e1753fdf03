import { fork } from 'node:child_process';
import { type ZodType, z } from 'zod';
import { type Fault, faultSchema, type Question } from '../engine/protocol.ts';
import type { Log } from '../log.ts';
import { type Asker, openAskTurns } from './ask-turns.ts';
import { JobError } from './errors.ts';

/**
 * Asks a system a question in a child process, since the web process opens no connection to a customer's database.
 * @param uid account that asks
 * @param how `limitMs`: after which the child is killed; `asker`: whose turns it waits for, by default visitors'
 * @throws HttpError OVERLOADED if the account, or all accounts together, have too many questions
 * @throws JobError SYSTEM_FAULT with the fault's sentence and hint
 */
export type Ask = <Answer>(
  uid: string,
  question: Question,
  schema: ZodType<Answer>,
  how?: { limitMs?: number; asker?: Asker },
) => Promise<Answer>;

const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), data: z.unknown().optional() }),
  z.object({ ok: z.literal(false), fault: faultSchema }),
]);

/** The site gives a call 9.5 s. */
const longestMs = 8_500;
const heapMb = 192;

interface AskOptions {
  script: string;
  env: Readonly<Record<string, string>>;
  log: Log;
  /** Fires when the server stops. */
  stopping: AbortSignal;
  /** For a question that sets no limit; tests on starved machines have more. */
  callMs?: number;
}

export function openAsk({ script, env, log, stopping, callMs = longestMs }: AskOptions): Ask {
  const turns = openAskTurns();

  return async (uid, question, schema, { limitMs = callMs, asker = 'visitors' } = {}) => {
    const answer = answerSchema.safeParse(await turns[asker].run(uid, () => exchange(question, limitMs)));
    if (!answer.success) {
      log.error({ question: question.kind }, 'a child process gave no answer');
      throw new JobError('SYSTEM_FAULT', 'The question could not be answered. Please try again.');
    }
    if (!answer.data.ok) throw systemFault(answer.data.fault);
    return schema.parse(answer.data.data);
  };

  /** The child's message; undefined if it exited without one. */
  async function exchange(question: Question, limitMs: number): Promise<unknown> {
    // Its turn came because the questions before it were cut off.
    if (stopping.aborted) throw new JobError('SYSTEM_FAULT', 'The server is stopping. Please try again.');
    const child = fork(script, [], {
      env,
      execArgv: [`--max-old-space-size=${heapMb}`],
      // What a driver prints may hold values.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      signal: stopping,
      killSignal: 'SIGKILL',
    });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new JobError('SYSTEM_FAULT', `There was no answer within ${Math.round(limitMs / 1000)} s.`));
      }, limitMs);
      const end = (answer: unknown) => {
        clearTimeout(timer);
        child.kill('SIGKILL');
        resolve(answer);
      };
      child.once('message', end);
      child.once('exit', () => end(undefined));
      child.once('error', () => end(undefined));
      child.send(question, (error) => {
        if (error) end(undefined);
      });
    });
  }
}

function systemFault(fault: Fault): JobError {
  return new JobError('SYSTEM_FAULT', `${fault.sentence} ${fault.hint}`, { data: { fault } });
}
