import { isatty } from 'node:tty';
import { ConfigError, readConfig } from './config.ts';
import { openLog } from './log.ts';
import { start } from './start.ts';

// The process: the only file that reads the environment and ends the process.

function readSettings() {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

const config = readSettings();
const { log, flush } = openLog(config.logLevel, isatty(1));

function end(code: number): never {
  flush();
  process.exit(code);
}

function crash(error: unknown): never {
  log.fatal({ err: error }, 'the process failed');
  end(1);
}

process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);

/** What keeps the site from starting is a sentence for the operator, not a stack. */
function refuseToStart(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  log.fatal(message);
  flush();
  if (!isatty(1)) process.stderr.write(`${message}\n`);
  process.exit(1);
}

const running = await start(config, log).catch(refuseToStart);

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    // A person at the terminal has no balancer that must notice first.
    running.stop(signal === 'SIGTERM').then((outcome) => {
      log.info({ outcome }, 'stopped');
      end(0);
    }, crash);
  });
}
