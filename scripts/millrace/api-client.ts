import { z } from 'zod';

/** Documented in the usage of `scripts/millrace.ts`: scripts rely on them. */
export const exitCodes = { done: 0, refused: 1, wrongUse: 2, notReached: 3, faulty: 4, tooLate: 5 } as const;

/** Wrong use of the command. */
export class UsageError extends Error {}

/** The server refused a call, or was not reached. */
export class ApiRefusal extends Error {
  readonly exitCode: number;
  /** Whether the same call may be accepted a moment later. */
  readonly isPassing: boolean;

  constructor(message: string, exitCode: number = exitCodes.refused, isPassing = false) {
    super(message);
    this.exitCode = exitCode;
    this.isPassing = isPassing;
  }
}

const envelope = z.object({ code: z.string(), msg: z.string(), data: z.unknown().optional() });
const callMs = 15_000;
/** Too many requests, and what a server, or a proxy before it, answers while it starts, stops or misses its store. */
const passingStatuses = [429, 502, 503, 504];

export interface ApiClient {
  /** `data` of a call. @param mostMs gives up sooner than usual @throws ApiRefusal */
  call(path: string, body: object, mostMs?: number): Promise<unknown>;
}

/** A client for the server named in the environment. @throws UsageError without a key */
export function openApiClient(env: Readonly<Record<string, string | undefined>>): ApiClient {
  const base = env.MILLRACE_URL || 'http://localhost:3000';
  const key = env.MILLRACE_KEY;
  if (!key?.includes('.')) throw new UsageError('Set MILLRACE_KEY to <access key>.<secret>.');
  return {
    async call(path, body, mostMs = callMs) {
      let answer: Response;
      let json: unknown;
      try {
        answer = await fetch(base.replace(/\/+$/, '') + path, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(Math.ceil(Math.min(callMs, mostMs))),
          redirect: 'error',
        });
        json = await answer.json().catch(unlessCut);
      } catch (cause) {
        throw new ApiRefusal(
          `${base} was not reached: ${sentenceOf(cause)}. MILLRACE_URL is the address of the site.`,
          exitCodes.notReached,
          true,
        );
      }
      const isPassing = passingStatuses.includes(answer.status);
      const parsed = envelope.safeParse(json);
      if (!parsed.success) {
        const sentence = `${base} gave no API response (status ${answer.status}).`;
        throw new ApiRefusal(sentence, exitCodes.notReached, isPassing);
      }
      if (parsed.data.code !== '1') throw new ApiRefusal(parsed.data.msg, exitCodes.refused, isPassing);
      return parsed.data.data;
    },
  };
}

/** Nothing for a body that is no JSON. @throws the fault of a connection that ended within the body */
function unlessCut(cause: unknown): undefined {
  if (!(cause instanceof SyntaxError)) throw cause;
}

function sentenceOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}
