import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startLocalServer } from './local-server.ts';
import { answerHeld, answerWithFault } from './upstream-faults.ts';

export interface SeenCall {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  /** Resolves when the call's connection has closed. */
  gone: Promise<unknown>;
}

export interface Upstream {
  url: string;
  /** Received calls, oldest first. */
  seen: SeenCall[];
  /** Resolves with the next call that arrives. */
  next(): Promise<SeenCall>;
  /** Answers the calls that wait with the fault 'slow'. */
  release(): void;
  close(): Promise<void>;
}

/**
 * A real HTTP server in place of the console backend.
 * @param answer answers a call; default: as the call itself requests, faults included
 */
export async function startUpstream(
  answer: (call: SeenCall, res: ServerResponse, held: ServerResponse[]) => void = answerWithFault,
): Promise<Upstream> {
  const seen: SeenCall[] = [];
  /** Answers that are held back until the test releases them. */
  const held: ServerResponse[] = [];
  let waiting: ((call: SeenCall) => void)[] = [];
  const server = await startLocalServer(async (req, res) => {
    const { method, url, headers } = req;
    const call = { method, url, headers, body: await text(req), gone: once(res, 'close') };
    seen.push(call);
    for (const wake of waiting) wake(call);
    waiting = [];
    answer(call, res, held);
  });
  return {
    url: server.url,
    seen,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    release: () => answerHeld(held),
    close: server.close,
  };
}
