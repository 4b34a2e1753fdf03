import { connect, createServer } from 'node:net';
import { onLoopback } from './on-loopback.ts';

/** A proxy to a PostgreSQL server that breaks at a COMMIT. */
export interface BreakingProxy {
  port: number;
  close(): Promise<void>;
}

/** @param when whether the server still gets the COMMIT, and only its answer is lost */
export async function startBreakingProxy(
  { host, port }: { host: string; port: number },
  when: 'before' | 'after',
): Promise<BreakingProxy> {
  const proxy = createServer((client) => {
    const server = connect({ host, port });
    let isCommitting = false;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    client.on('data', (data) => {
      if (data.includes('COMMIT\0')) isCommitting = true;
      if (isCommitting && when === 'before') end();
      else server.write(data);
    });
    server.on('data', (data) => {
      // The answer confirms the COMMIT; no one receives it.
      if (isCommitting) end();
      else client.write(data);
    });
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
  });
  return await onLoopback(proxy);
}
