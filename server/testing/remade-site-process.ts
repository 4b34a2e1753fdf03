import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import { readSiteConfig } from '../config/site.ts';
import { createPublicServer, publicLimits } from '../http/server.ts';
import { createApp } from '../site/app.ts';
import { siteLimits } from '../site/limits.ts';
import { loadSite } from '../site/load.ts';
import { patientConnections } from './patience.ts';

// The real site in a separate process that recreates every page and picture for each request. It reports its port, and
// the bytes in use after a forced collection whenever asked. Started with --expose-gc.
const config = readSiteConfig(process.env);
const log = pino({ level: 'info' }, { write: () => undefined });
const site = await loadSite(config, log, false);

const findPage: typeof site.findPage = async (path, query) => {
  const found = await site.findPage(path, query);
  if (found.kind === 'redirect') return found;
  const { cacheKey: _, ...page } = found;
  return page;
};

const findGeneratedFile: typeof site.findGeneratedFile = (path, query) => {
  const found = site.findGeneratedFile?.(path, query);
  if (!found) return undefined;
  const { cacheKey: _, ...file } = found;
  return file;
};

// However starved the machine is, no one is refused or cut off.
const limits = { ...siteLimits, waitMs: 60_000, taskMs: 60_000, callMs: 60_000 };
const lastCall = new AbortController().signal;
const app = createApp({ ...site, config, log, findPage, findGeneratedFile, limits, lastCall });
const server = createPublicServer(app.listener, { log, limits: { ...publicLimits, ...patientConnections } });

let connections = 0;
let underway = 0;
server.on('connection', () => (connections += 1));
server.on('request', (_req, res) => {
  underway += 1;
  res.once('close', () => (underway -= 1));
});

/** Resolves when everything that clients began is over; they may have left before they were accepted, one per turn. */
async function settle(): Promise<void> {
  let before: number;
  do {
    before = connections;
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  } while (underway > 0 || connections > before);
}

process.on('message', async () => {
  await settle();
  // What one collection frees may hold what only the next one frees.
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc?.();
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ bytes: heapUsed + external });
});
// The site ends with the process that started it.
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
