import { z } from 'zod';
import { inPlainWords, invalidFields } from '../../http/invalid-fields.ts';
import type { Session } from '../account/sessions.ts';
import type { ConsoleServices } from '../services.ts';

/** What every call knows about its request besides the body. */
export interface CallContext {
  requestId: string;
  /** Address of the visitor. */
  address: string;
  userAgent: string;
  /** Token of the Authorization header, not necessarily checked. */
  token: string | undefined;
  idempotencyKey: string | undefined;
}

export interface PublicRequest<Body> extends CallContext {
  body: Body;
}

export interface SignedInRequest<Body> extends PublicRequest<Body> {
  session: Session;
}

/** One row of the console's table of calls: contract, guard and handler. */
export interface ConsoleCall {
  /** Exact path; the method is POST. */
  path: string;
  auth: 'public' | 'signed in';
  /** Limit of its body; without it, the limit of all calls. */
  mostBytes?: number;
  /** @returns the answer's `data`; undefined is answered with 204 */
  answer(raw: unknown, context: CallContext, session: Session | undefined, services: ConsoleServices): Promise<unknown>;
}

/** Body of a call that takes none. */
export const noBody = z.strictObject({});

/** A call that needs no session. */
export function publicCall<Body>(
  path: string,
  schema: z.ZodType<Body>,
  answer: (request: PublicRequest<Body>, services: ConsoleServices) => Promise<unknown>,
  limits: { mostBytes?: number } = {},
): ConsoleCall {
  return {
    path,
    auth: 'public',
    ...limits,
    answer: (raw, context, _session, services) => answer({ ...context, body: parseBody(schema, raw) }, services),
  };
}

/** A call that is answered only for a signed-in user. */
export function signedInCall<Body>(
  path: string,
  schema: z.ZodType<Body>,
  answer: (request: SignedInRequest<Body>, services: ConsoleServices) => Promise<unknown>,
): ConsoleCall {
  return {
    path,
    auth: 'signed in',
    async answer(raw, context, session, services) {
      if (!session) throw new Error(`The call ${path} was answered without a session.`);
      return answer({ ...context, session, body: parseBody(schema, raw) }, services);
    },
  };
}

function parseBody<Body>(schema: z.ZodType<Body>, raw: unknown): Body {
  const parsed = schema.safeParse(raw ?? {}, inPlainWords);
  if (!parsed.success) throw invalidFields(parsed.error);
  return parsed.data;
}
