import { isatty } from 'node:tty';
import { ConfigError } from './config/read-settings.ts';
import { readSiteConfig } from './config/site.ts';
import { openLog } from './log.ts';
import type { Running } from './site/start.ts';

// The process: the only file that reads the environment and ends the process.

function readSettings() {
  try {
    return readSiteConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

const longestStopMs = 9_000;

const config = readSettings();
const { log, close } = openLog(config.logLevel, isatty(1));
let running: Running | undefined;
let stopping = false;

async function end(code: number): Promise<never> {
  await close();
  process.exit(code);
}

function crash(error: unknown): Promise<never> {
  log.fatal({ err: error }, 'the process failed');
  return end(1);
}

/** What keeps the site from starting is a sentence for the operator, not a stack. */
function refuseToStart(error: unknown): Promise<never> {
  const message = error instanceof Error ? error.message : String(error);
  log.fatal(message);
  if (!isatty(1)) process.stderr.write(`${message}\n`);
  return end(1);
}

async function stop(signal: 'SIGTERM' | 'SIGINT') {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, 'stopping');
  // Whatever hangs: container platforms end the process after 10 s without a word.
  setTimeout(crash, longestStopMs, new Error('Stopping took too long.')).unref();
  // Before the site listens there is nobody to answer, and what is compiled by then is on the disk.
  if (!running) return end(0);
  // A person at the terminal has no balancer that must notice first.
  const outcome = await running.stop(signal === 'SIGTERM');
  log.info({ outcome }, 'stopped');
  await end(0);
}

process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);
// Before the rest is loaded: as the first process of a container, a signal without a handler is ignored.
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

const { start } = await import('./site/start.ts');
running = await start(config, log).catch(refuseToStart);
