import type { IncomingMessage } from 'node:http';
import type { Target } from './request-target.ts';

/** What is known about a request while it is answered. */
export interface RequestContext extends Target {
  id: string;
  /** `performance.now()` at arrival. */
  startedAt: number;
  /** The sender's address; see ClientAddresses. */
  address: string;
  /** Pattern for the log, set by the code that answers. */
  route: string;
  /** Bytes of the body, when the answer's headers do not state them. */
  bytes?: number;
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

export function setContext(req: IncomingMessage, context: RequestContext): void {
  contexts.set(req, context);
}

/** The context of a request that came through the app's listener. */
export function contextOf(req: IncomingMessage): RequestContext {
  const context = contexts.get(req);
  if (!context) throw new Error('The request did not come through createApp.');
  return context;
}
