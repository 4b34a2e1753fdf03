import type { RequestListener, Server } from 'node:http';

/** Requests waiting to be released, by server. */
const waiting = new WeakMap<Server, (() => void)[]>();

/** A listener whose requests can be held. */
export function holdable(server: () => Server, listener: RequestListener): RequestListener {
  return (req, res) => {
    const held = waiting.get(server());
    if (held) held.push(() => listener(req, res));
    else listener(req, res);
  };
}

/** From now on, requests to a server wait. @returns a function that answers the waiting requests and stops holding */
export function holdRequests(server: Server): () => void {
  const held: (() => void)[] = [];
  waiting.set(server, held);
  return () => {
    waiting.delete(server);
    for (const answer of held) answer();
  };
}
