import { ConfigError, readConfig } from './config.ts';
import { openLog } from './log.ts';
import { start } from './start.ts';

/** The process: the only file that reads the environment and ends the process. */
const development = process.argv.includes('--dev');

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
const { log, flush } = openLog(config.logLevel, process.stdout.isTTY === true);

function end(code: number): never {
  flush();
  process.exit(code);
}

function fail(error: unknown): never {
  log.fatal({ err: error }, error instanceof Error ? error.message : 'The process failed.');
  end(1);
}

process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

const running = await start(config, log, development).catch(fail);

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    running.stop().then((outcome) => {
      log.info({ outcome }, 'stopped');
      end(0);
    }, fail);
  });
}
