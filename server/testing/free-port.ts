import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port below those that systems give to outgoing connections: such a connection, of whatever runs beside, would keep a
 * server from its port while it is started or started again. Above 10080, which browsers refuse.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 30_000);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch {
      continue; // somebody has it
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
