import type { IncomingMessage } from 'node:http';
import type { Target } from './request-target.ts';

/** What is known of a request while it is answered. */
export interface RequestContext extends Target {
  id: string;
  /** `performance.now()` at arrival. */
  startedAt: number;
  /** Address of the sender; see ClientAddresses. */
  address: string;
  /** Pattern for the log, filled in by whoever answers. */
  route: string;
  /** Bytes of the body, where they are not in the headers of the answer. */
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
