import { setImmediate as turn } from 'node:timers/promises';
import pino from 'pino';
import { z } from 'zod';
import { LogWriter } from '../../server/log-writer.ts';

// One of the destinations that log.ts compares, in its own process: `<destination> <lines>`.
const destinations = {
  none: () => ({ write: () => undefined }),
  ours: () => new LogWriter(process.stdout),
  // As pino's documentation recommends for servers.
  'sonic-boom': () => pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 100 }),
  'sonic-boom, synchronous': () => pino.destination({ fd: 1, sync: true }),
};

export type Destination = keyof typeof destinations;

const destination = z.enum(['none', 'ours', 'sonic-boom', 'sonic-boom, synchronous']).parse(process.argv[2]);
const lines = z.coerce.number().int().parse(process.argv[3]);
const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, destinations[destination]());

async function write(count: number): Promise<void> {
  const line = { id: 'abcdef-1234', method: 'GET', route: '/docs/*', status: 200, ms: 0.12, bytes: 40_960 };
  for (let index = 0; index < count; index += 1) {
    log.info(line, 'request');
    // As many as a busy server writes in one turn.
    if (index % 20 === 19) await turn();
  }
}

await write(lines / 4);
const before = process.cpuUsage();
await write(lines);
const { user, system } = process.cpuUsage(before);
await new Promise((sent) => process.send?.((user + system) / lines, sent));
process.exit();
