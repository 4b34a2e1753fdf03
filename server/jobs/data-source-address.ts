import { z } from 'zod';

const settings = z.object({
  host: z.string().optional(),
  port: z.number().optional(),
  file: z.string().optional(),
  database: z.string().optional(),
  user: z.string().optional(),
});

/** `host:port`, or the file; empty if there is neither. */
export function addressOf(given: Record<string, unknown>): string {
  const { host, port, file } = settings.parse(given);
  if (host === undefined) return file ?? '';
  const name = host.includes(':') ? `[${host}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}

export function databaseOf(given: Record<string, unknown>): string {
  return settings.parse(given).database ?? '';
}

export function userOf(given: Record<string, unknown>): string {
  return settings.parse(given).user ?? '';
}

/** Host and port of `host:port` or `[address]:port`; nothing if the text is empty. */
export function readAddress(text: string): { host?: string; port?: number } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const host = bracketed ?? plain ?? text.trim();
  return { ...(host !== '' && { host }), ...(port !== undefined && { port: Number(port) }) };
}
