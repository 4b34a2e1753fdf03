import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'pg-connection-string';
import type { ConsoleConfig } from '../config/console.ts';
import { driverUrl } from '../storage/postgres-url.ts';

/** The environment of every child process: none of the server's own, which may hold passwords. */
export function childEnv(config: ConsoleConfig): Record<string, string> {
  const own = resolve(config.dataDir, 'compile-cache');
  // Node.js itself would not return from creating it in some places, see make-folder.ts.
  const compileCache = process.env.NODE_COMPILE_CACHE ?? (existsSync(own) ? own : undefined);
  return {
    TZ: 'UTC',
    // With cached compiled code, a process needs a third less memory and start-up time.
    ...(compileCache && { NODE_COMPILE_CACHE: compileCache }),
    NODE_ENV: process.env.NODE_ENV ?? 'production',
    ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
    /** `all`: every network but the forbidden ones; `public`: of private ones, only those in ENGINE_NETWORKS. */
    ENGINE_REACH: config.jobsFor === 'all' ? 'public' : 'all',
    ENGINE_NETWORKS: (config.jobNetworks ?? []).join(','),
    /** `host:port` that no job may connect to: the server's own store and ports. */
    ENGINE_FORBIDDEN: forbidden(config).join(','),
  };
}

function forbidden({ databaseUrl, consolePort }: ConsoleConfig): string[] {
  const own = [`127.0.0.1:${consolePort}`];
  if (databaseUrl === undefined) return own;
  const { host, port } = parse(driverUrl(databaseUrl));
  // A local socket can be reached by its port too.
  const name = !host || host.startsWith('/') ? '127.0.0.1' : host;
  return [...own, `${name}:${port || '5432'}`];
}
