import { once } from 'node:events';
import type { Server } from 'node:http';
import { duplexPair } from 'node:stream';

/** An in-process connection from an address that this machine need not have. */
export function connectFrom(server: Server, remoteAddress: string) {
  const [client, served] = duplexPair();
  Object.assign(served, { remoteAddress, resetAndDestroy: () => served.destroy() });
  server.emit('connection', served);
  return {
    served,
    /** Requests a path; resolves with the first piece of the answer. */
    async ask(path = '/'): Promise<string> {
      client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const [chunk]: Buffer[] = await once(client, 'data');
      return String(chunk);
    },
    async close(): Promise<void> {
      const closed = served.destroyed || once(served, 'close');
      served.destroy();
      await closed;
    },
  };
}
