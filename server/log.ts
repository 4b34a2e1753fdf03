import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { LogLevel } from './config/site.ts';
import { LogWriter } from './log-writer.ts';

export type Log = Logger;

/** The log and the way to get its last lines out before the process ends. */
export interface LogOutput {
  log: Log;
  flush(): void;
}

/** Opens the log on standard output: JSON lines, written in batches; readable lines when a person is looking. */
export function openLog(level: LogLevel, terminal: boolean): LogOutput {
  if (terminal) {
    const stream = pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
    return { log: pino({ level }, stream), flush: () => undefined };
  }
  const writer = new LogWriter(1);
  return { log: pino({ level, base: null, timestamp: isoTime() }, writer), flush: () => writer.flushSync() };
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
