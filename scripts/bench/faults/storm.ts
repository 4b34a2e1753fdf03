import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { z } from 'zod';

// A load in its own process: `storm.ts <settings as JSON>`; reports the results at the end. `#` in an address becomes a
// different number in each request.
const settings = z.object({
  url: z.string(),
  paths: z.array(z.string()),
  connections: z.number(),
  seconds: z.number(),
  headers: z.record(z.string(), z.string()).default({}),
});

const { url, paths, connections, seconds, headers } = settings.parse(JSON.parse(process.argv[2] ?? ''));
let count = 0;
const statuses: Record<string, number> = {};
const accepted: number[] = [];
let refusedWithout = 0;

const isRefused = (status: number) => status === 429 || status === 503;

const requests = paths.map(
  (path): autocannon.Request => ({
    setupRequest: (request) => ({ ...request, path: path.replace('#', String(count++)) }),
    onResponse: (status, _body, _context, answered) => {
      const names = Object.keys(answered ?? {}).map((name) => name.toLowerCase());
      if (isRefused(status) && !names.includes('retry-after')) refusedWithout += 1;
    },
  }),
);
let clients = 0;

const { errors, timeouts } = await autocannon({
  url,
  connections,
  duration: seconds,
  timeout: 20,
  headers,
  requests,
  setupClient: (client) => {
    // Each connection starts with a different address.
    client.setRequests([...requests.slice(clients % requests.length), ...requests.slice(0, clients % requests.length)]);
    clients += 1;
    client.on('response', (status: number, _bytes: number, ms: number) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (!isRefused(status)) accepted.push(ms);
    });
  },
});
accepted.sort((a, b) => a - b);
process.send?.({
  statuses,
  refusedWithout,
  errors,
  timeouts,
  p99: Math.round(accepted[Math.floor(accepted.length * 0.99)] ?? 0),
});
// The message is still being sent.
await pause(100);
process.exit();
