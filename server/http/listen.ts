import { once } from 'node:events';
import type { Server } from 'node:http';

/**
 * Listens on the configured address.
 * @param setting that names the port
 * @throws with one sentence when that is impossible, and the system's error as its cause
 */
export async function listen(
  server: Server,
  { port, host }: { port: number; host: string },
  setting: 'PORT' | 'CONSOLE_PORT' = 'PORT',
): Promise<void> {
  server.listen({ port, host, backlog: 4096 });
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Error(sentenceFor(cause, port, host, setting), { cause });
  }
}

function sentenceFor(cause: unknown, port: number, host: string, setting: string): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program: stop it or set ${setting} to another number.`;
  if (code === 'EACCES') return `This user is not allowed to use port ${port}: set ${setting} to a number above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is not an address of this machine.`;
  return `The server cannot listen on ${host}, port ${port}.`;
}
