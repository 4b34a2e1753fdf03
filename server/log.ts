import type { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { LogLevel } from './log-levels.ts';
import { LogWriter } from './log-writer.ts';

export type Log = Logger;

/** How long the process waits on exit for the reader of the log, in milliseconds. */
const closeLimitMs = 500;

export interface LogOutput {
  log: Log;
  /** Writes the last lines before the process exits; resolves even if nothing reads them. */
  close(): Promise<void>;
}

/**
 * Opens the log: JSON lines in batches, or readable lines on a terminal.
 * @param out Node writes to a pipe or socket asynchronously, to a file synchronously
 */
export function openLog(level: LogLevel, terminal: boolean, out: Writable = process.stdout): LogOutput {
  const options = { level, serializers: { err: describeError } };
  if (terminal) {
    const stream = pretty({ sync: true, singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
    return { log: pino(options, stream), close: async () => undefined };
  }
  const writer = new LogWriter(out);
  return {
    log: pino({ ...options, base: null, timestamp: isoTime() }, writer),
    close: () => writer.close(closeLimitMs),
  };
}

/** An error as pino serialises it, without bytes: a broken response's error has all that came, cookies and body. */
function describeError(error: Error): object {
  const told = pino.stdSerializers.err(error);
  // A value that is not an error is returned unchanged.
  if (isTold(told)) leaveOutBytes(told);
  return told;
}

/** The prototype of what pino's serialiser returns for an error, and for errors in its fields. */
const toldError: object = Object.getPrototypeOf(pino.stdSerializers.err(new Error()));

function isTold(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === toldError;
}

function leaveOutBytes(told: object): void {
  const fields: [string, unknown][] = Object.entries(told);
  for (const [name, value] of fields) {
    if (name === 'rawPacket' || value instanceof Uint8Array) Reflect.deleteProperty(told, name);
    else [value].flat().filter(isTold).forEach(leaveOutBytes);
  }
}

/** ISO times, formatted once for all lines of the same millisecond. */
function isoTime(): () => string {
  let last = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}
