import type { IncomingMessage } from 'node:http';
import type { Target } from './target.ts';

/** What is known of a request while it is answered. */
export interface Exchange extends Target {
  id: string;
  /** `performance.now()` at arrival. */
  startedAt: number;
  /** Pattern for the log, filled in by whoever answers. */
  route: string;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

export function beginExchange(req: IncomingMessage, exchange: Exchange): void {
  exchanges.set(req, exchange);
}

/** The exchange of a request that came through the app's listener. */
export function exchangeOf(req: IncomingMessage): Exchange {
  const exchange = exchanges.get(req);
  if (!exchange) throw new Error('The request did not come through createApp.');
  return exchange;
}
