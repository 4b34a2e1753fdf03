import { createServer, type RequestListener } from 'node:http';
import { onLoopback } from './on-loopback.ts';
import { patientConnections } from './patience.ts';

export interface LocalServer {
  /** Without a trailing slash. */
  url: string;
  /** Cuts open connections. */
  close(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function startLocalServer(listener: RequestListener): Promise<LocalServer> {
  // A client that stood still would send its next request on a connection that is being closed.
  const server = createServer({ keepAliveTimeout: patientConnections.keepAliveTimeout }, listener);
  const { port, close } = await onLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      const closed = close();
      server.closeAllConnections();
      return closed;
    },
  };
}
