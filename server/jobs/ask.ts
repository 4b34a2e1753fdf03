import { fork } from 'node:child_process';
import { type ZodType, z } from 'zod';
import { type Fault, faultSchema, type Question } from '../engine/protocol.ts';
import { ConcurrencyLimit } from '../http/concurrency-limit.ts';
import type { Log } from '../log.ts';
import { JobError } from './errors.ts';

/**
 * Asks a system a question in a child process, since the web process opens no connection to a customer's database.
 * @param uid account that asks
 * @param limitMs after which the child is killed
 * @throws HttpError OVERLOADED if the account, or all accounts together, have too many questions
 * @throws JobError SYSTEM_FAULT with the fault's sentence and hint
 */
export type Ask = <Answer>(
  uid: string,
  question: Question,
  schema: ZodType<Answer>,
  limitMs?: number,
) => Promise<Answer>;

const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), data: z.unknown().optional() }),
  z.object({ ok: z.literal(false), fault: faultSchema }),
]);

/** The site gives a call 9.5 s. */
const longestMs = 8_500;
const heapMb = 192;
const waitMs = 4_000;
const ofAll = { running: 4, waiting: 32, waitMs };
/** One place is left to the others if an account asks systems that do not answer. */
const ofAccount = { running: 3, waiting: 16, waitMs };

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
  const limit = new ConcurrencyLimit(ofAll);
  /** Accounts with questions in progress. */
  const accounts = new Map<string, { limit: ConcurrencyLimit; questions: number }>();

  return async (uid, question, schema, limitMs = callMs) => {
    const answer = answerSchema.safeParse(await inTurn(uid, () => limit.run(() => exchange(question, limitMs))));
    if (!answer.success) {
      log.error({ question: question.kind }, 'a child process gave no answer');
      throw new JobError('SYSTEM_FAULT', 'The question could not be answered. Please try again.');
    }
    if (!answer.data.ok) throw systemFault(answer.data.fault);
    return schema.parse(answer.data.data);
  };

  async function inTurn<Result>(uid: string, task: () => Promise<Result>): Promise<Result> {
    const account = accounts.get(uid) ?? { limit: new ConcurrencyLimit(ofAccount), questions: 0 };
    accounts.set(uid, account);
    account.questions += 1;
    try {
      return await account.limit.run(task);
    } finally {
      account.questions -= 1;
      if (account.questions === 0) accounts.delete(uid);
    }
  }

  /** The child's message; undefined if it exited without one. */
  function exchange(question: Question, limitMs: number): Promise<unknown> {
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
