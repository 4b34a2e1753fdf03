import { connect, createServer, type Socket } from 'node:net';
import { onLoopback } from './on-loopback.ts';

/** A proxy to a PostgreSQL server whose machine vanishes, without a reset, when a client says farewell. */
export interface VanishingProxy {
  port: number;
  close(): Promise<void>;
}

/** The message Terminate. */
const farewell = Buffer.from([0x58, 0, 0, 0, 4]);

export async function startVanishingProxy({ host, port }: { host: string; port: number }): Promise<VanishingProxy> {
  const sockets = new Set<Socket>();
  // It would answer the client's end otherwise.
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ host, port });
    client.on('data', (data) => {
      if (!data.includes(farewell)) server.write(data);
    });
    server.on('data', (data) => client.write(data));
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
  });
  const listening = await onLoopback(proxy);
  return {
    port: listening.port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await listening.close();
    },
  };
}
