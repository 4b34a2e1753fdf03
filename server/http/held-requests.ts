import type { RequestListener, Server } from 'node:http';

/** Requests that wait for the release, by server. */
const waiting = new WeakMap<Server, (() => void)[]>();

/** A listener whose requests can be held. */
export function holdable(server: () => Server, listener: RequestListener): RequestListener {
  return (req, res) => {
    const held = waiting.get(server());
    if (held) held.push(() => listener(req, res));
    else listener(req, res);
  };
}

/** From now on requests to a server wait. @returns answers those that came, and holds no more */
export function holdRequests(server: Server): () => void {
  const held: (() => void)[] = [];
  waiting.set(server, held);
  return () => {
    waiting.delete(server);
    for (const answer of held) answer();
  };
}
