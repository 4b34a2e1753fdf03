import { z } from 'zod';
import { consoleSettings } from './console.ts';
import { type Environment, givenOf } from './read-settings.ts';
import { siteSettings } from './site.ts';

/** Hosts whose ports include those of the loopback address, where the console backend listens. */
const withLoopback = new Set(['0.0.0.0', '::', '127.0.0.1', 'localhost']);
const schema = z.object({
  ...siteSettings.pick({ port: true, host: true, apiBaseUrl: true }).shape,
  ...consoleSettings.pick({ consolePort: true }).shape,
});

/** The fault of a site and a backend in one process that would listen on the same port. */
export function sharedPortFault(env: Environment): string | undefined {
  const { data } = schema.safeParse(Object.fromEntries(givenOf(schema, env)));
  // A fault of one of them is reported by itself.
  if (!data || data.apiBaseUrl !== undefined) return undefined;
  const { port, consolePort, host } = data;
  if (port !== consolePort || port === 0 || !withLoopback.has(host)) return undefined;
  return `CONSOLE_PORT must not be ${consolePort}, which is the PORT of the site: set one of them to another number.`;
}
