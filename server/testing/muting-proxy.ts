import { connect, createServer } from 'node:net';
import { onLoopback } from './on-loopback.ts';

/** A proxy to a server that stays open when it stops forwarding the server's data. */
export interface MutingProxy {
  port: number;
  /** From now on nothing from the server arrives. */
  mute(): void;
  /** Connections so far. */
  opened(): number;
  close(): Promise<void>;
}

export async function startMutingProxy({ host, port }: { host: string; port: number }): Promise<MutingProxy> {
  let isMute = false;
  let opened = 0;
  const proxy = createServer((client) => {
    opened++;
    const server = connect({ host, port });
    client.pipe(server);
    server.on('data', (data) => {
      if (isMute || client.write(data)) return;
      server.pause();
      client.once('drain', () => server.resume());
    });
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
  });
  return {
    ...(await onLoopback(proxy)),
    mute: () => {
      isMute = true;
    },
    opened: () => opened,
  };
}
