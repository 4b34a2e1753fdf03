import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { LogLevel } from './config.ts';

export type Log = Logger;

/** The log and the way to get its last lines out before the process ends. */
export interface LogOutput {
  log: Log;
  flush(): void;
}

const flushEveryMs = 250;

/** Opens the log on standard output: JSON lines, written in batches; readable lines when a person is looking. */
export function openLog(level: LogLevel, terminal: boolean): LogOutput {
  if (terminal) {
    const stream = pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
    return { log: pino({ level }, stream), flush: () => undefined };
  }
  const destination = pino.destination({ dest: 1, sync: false, minLength: 32768, maxWrite: 131072 });
  // A full pipe or a closed reader must not stop the site.
  destination.on('error', () => undefined);
  const timer = setInterval(() => destination.flush(), flushEveryMs);
  timer.unref();
  return {
    log: pino({ level, base: null, timestamp: isoTime() }, destination),
    flush: () => destination.flushSync(),
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
