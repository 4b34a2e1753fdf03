import { z } from 'zod';

/** Documented in the usage of `scripts/millrace.ts`: scripts rely on them. */
export const exitCodes = { done: 0, refused: 1, wrongUse: 2, notReached: 3, faulty: 4, tooLate: 5 } as const;

/** Wrong use of the command. */
export class UsageError extends Error {}

/** The server refused a call, or was not reached. */
export class ApiRefusal extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

const envelope = z.object({ code: z.string(), msg: z.string(), data: z.unknown().optional() });
const callMs = 15_000;

export interface ApiClient {
  /** `data` of a call. @throws ApiRefusal */
  call(path: string, body: object): Promise<unknown>;
}

/** A client for the server named in the environment. @throws UsageError without a key */
export function openApiClient(env: Readonly<Record<string, string | undefined>>): ApiClient {
  const base = env.MILLRACE_URL || 'http://localhost:3000';
  const key = env.MILLRACE_KEY;
  if (!key?.includes('.')) throw new UsageError('Set MILLRACE_KEY to <access key>.<secret>.');
  return {
    async call(path, body) {
      let answer: Response;
      try {
        answer = await fetch(base.replace(/\/+$/, '') + path, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(callMs),
          redirect: 'error',
        });
      } catch (cause) {
        throw new ApiRefusal(
          `${base} was not reached: ${sentenceOf(cause)}. MILLRACE_URL is the address of the site.`,
          exitCodes.notReached,
        );
      }
      const parsed = envelope.safeParse(await answer.json().catch(() => undefined));
      if (!parsed.success) {
        throw new ApiRefusal(`${base} gave no API response (status ${answer.status}).`, exitCodes.notReached);
      }
      if (parsed.data.code !== '1') throw new ApiRefusal(parsed.data.msg);
      return parsed.data.data;
    },
  };
}

function sentenceOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}
