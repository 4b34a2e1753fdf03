import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port below the range that systems use for outgoing connections: such a connection of any other program would block
 * a server's port during a start or restart. Above 10080, which browsers refuse.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 30_000);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch {
      continue; // the port is taken
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
