import type { ConsoleConfig } from './console.ts';
import type { SiteConfig } from './site.ts';

/** Hosts whose ports include those of the loopback address, where the console backend listens. */
const withLoopback = new Set(['0.0.0.0', '::', '127.0.0.1', 'localhost']);

/** The fault of a site and a backend in one process that would listen on the same port. */
export function sharedPortFault(
  { port, host, embeddedBackend }: SiteConfig,
  { consolePort }: ConsoleConfig,
): string | undefined {
  if (!embeddedBackend || port !== consolePort || port === 0 || !withLoopback.has(host)) return undefined;
  return `CONSOLE_PORT must not be ${consolePort}, which is the PORT of the site: set one of them to another number.`;
}
