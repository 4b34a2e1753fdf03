import { once } from 'node:events';
import type { Server } from 'node:http';
import type { SiteConfig } from '../config/site.ts';

/**
 * Listens on the configured address.
 * @throws with one sentence when that is impossible, and the system's error as its cause
 */
export async function listen(server: Server, { port, host }: Pick<SiteConfig, 'port' | 'host'>): Promise<void> {
  server.listen({ port, host, backlog: 4096 });
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Error(sentenceFor(cause, port, host), { cause });
  }
}

function sentenceFor(cause: unknown, port: number, host: string): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program: stop it or set PORT to another number.`;
  if (code === 'EACCES') return `This user is not allowed to use port ${port}: set PORT to a number above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is not an address of this machine.`;
  return `The server cannot listen on ${host}, port ${port}.`;
}
