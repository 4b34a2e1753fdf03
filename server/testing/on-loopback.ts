import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Makes a server listen on a free port of this machine. */
export async function onLoopback(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
