import type { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import { LogWriter } from './log-writer.ts';

export type Log = Logger;

/** What a log may be limited to, from the most to the least. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/** How long the end of the process waits for the reader of the log, in milliseconds. */
const closeLimitMs = 500;

export interface LogOutput {
  log: Log;
  /** Gets the last lines out before the process ends; resolves even if nobody reads them. */
  close(): Promise<void>;
}

/**
 * Opens the log: JSON lines in batches, or readable lines when a person is looking.
 * @param out Node writes to a pipe or socket without waiting, to a file within the call
 */
export function openLog(level: LogLevel, terminal: boolean, out: Writable = process.stdout): LogOutput {
  if (terminal) {
    const stream = pretty({ sync: true, singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
    return { log: pino({ level }, stream), close: async () => undefined };
  }
  const writer = new LogWriter(out);
  return {
    log: pino({ level, base: null, timestamp: isoTime() }, writer),
    close: () => writer.close(closeLimitMs),
  };
}

/** ISO times, written once for all lines of the same millisecond. */
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
