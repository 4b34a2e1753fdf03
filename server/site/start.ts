import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { SiteConfig } from '../config/site.ts';
import { ClientAddresses } from '../http/client-address.ts';
import { drain } from '../http/drain.ts';
import { listen } from '../http/listen.ts';
import { createPublicServer } from '../http/server.ts';
import type { Log } from '../log.ts';
import { createApp } from './app.ts';
import { loadSite } from './load.ts';
import { BackendError } from './proxy/errors.ts';

/**
 * Stop timings in milliseconds, counted from the signal. Container platforms allow 10 s in all, and the log may need
 * the last one.
 */
export const stopTimes = {
  /** How long /readyz answers 503 before we stop accepting; requests that still arrive are served. */
  announceMs: 1_000,
  /** How long connections are accepted that the system has queued. */
  acceptMs: 500,
  /** When unanswered calls are refused (RESTARTING): shortly before their connections are closed. */
  lastCallMs: 7_900,
  cutOffMs: 8_300,
  /** How long the content may take to close. */
  closeMs: 400,
};

export interface Running {
  /** The address it listens on, for display. */
  address: string;
  /** Finishes started requests, then closes; with `announce`, /readyz answers 503 for a moment first. */
  stop(announce: boolean): Promise<'finished' | 'cut off'>;
}

/** Starts the site, step by step; throws an Error with one sentence when it cannot start. */
export async function start(config: SiteConfig, log: Log, times = stopTimes): Promise<Running> {
  const startedAt = performance.now();
  let draining = false;
  const lastCall = new AbortController();

  const loaded = await loadSite(config, log, false);
  const app = createApp({
    ...loaded,
    config,
    log,
    draining: () => draining,
    lastCall: lastCall.signal,
  });
  const addresses = new ClientAddresses(config.trustedProxies);
  const server = createPublicServer(app.listener, {
    log,
    https: config.publicUrl.startsWith('https:'),
    perAddress: { most: config.maxConnectionsPerAddress, isProxy: (address) => addresses.isProxy(address) },
  });
  await listen(server, config);
  const address = addressOf(server, config);
  log.info(
    { address, pages: loaded.content().stats.pages, ms: Math.round(performance.now() - startedAt) },
    'listening',
  );

  return {
    address,
    async stop(announce) {
      draining = true;
      setTimeout(() => lastCall.abort(new BackendError('RESTARTING')), times.lastCallMs).unref();
      const limits = { acceptMs: times.acceptMs, totalMs: times.cutOffMs };
      const outcome = await drain(server, limits, announce ? delay(times.announceMs) : undefined);
      await Promise.race([loaded.close(), delay(times.closeMs)]);
      return outcome;
    },
  };
}

function addressOf(server: Server, { host }: SiteConfig): string {
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  const everywhere = host === '0.0.0.0' || host === '::';
  return `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
