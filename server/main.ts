import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import type { RunningBackend } from './backend/start.ts';
import { consoleSettings, readConsoleConfig } from './config/console.ts';
import { misspeltSettings } from './config/misspelt-settings.ts';
import { ConfigError } from './config/read-settings.ts';
import { sharedPortFault } from './config/shared-port.ts';
import { readSiteConfig, siteSettings } from './config/site.ts';
import { errorMessage } from './error-message.ts';
import { openLog } from './log.ts';
import { makeFolder } from './make-folder.ts';
import type { Running } from './site/start.ts';

// The process: the only file that reads the environment and exits. `--console` starts only the backend.
const alone = process.argv.includes('--console');

/** The settings of both servers; all faults are reported together, those of a shared setting once. */
function readSettings() {
  const faults = new Set<string>();
  const read = <Config>(readConfig: (env: NodeJS.ProcessEnv) => Config): Config | undefined => {
    try {
      return readConfig(process.env);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const fault of error.faults) faults.add(fault);
      return undefined;
    }
  };
  const [site, backend] = [read(readSiteConfig), read(readConsoleConfig)];
  const shared = alone ? undefined : sharedPortFault(process.env);
  if (shared) faults.add(shared);
  else if (site && backend) return { site, backend };
  process.stderr.write(`${new ConfigError([...faults]).message}\n`);
  process.exit(1);
}

/** Hundreds of files are loaded from then on; if the folder is not writable, each start compiles them again. */
function keepCompiledCode(folder: string): void {
  try {
    makeFolder(folder);
  } catch {
    return;
  }
  enableCompileCache(folder);
}

const config = readSettings();
keepCompiledCode(process.env.NODE_COMPILE_CACHE ?? resolve(config.site.dataDir, 'compile-cache'));
const { log, close } = openLog(config.site.logLevel, isatty(1));
for (const [variable, meant] of misspeltSettings([siteSettings, consoleSettings], process.env))
  log.warn({ variable, meant }, `${variable} is not a server setting: did you mean ${meant}?`);
let site: Running | undefined;
let backend: RunningBackend | undefined;
let stopping = false;
/** Container platforms allow 10 s, of which the log may need one. */
const longestStopMs = 9_000;
let ending: Promise<never> | undefined;

/** Exits once the log is written; the first caller chooses the exit code. */
function end(code: number): Promise<never> {
  ending ??= close().then(() => process.exit(code));
  return ending;
}

function crash(error: unknown): Promise<never> {
  log.fatal({ err: error }, 'the process failed');
  return end(1);
}

/** Reports why the process cannot start, as a sentence for the operator and not a stack trace. */
function refuseToStart(error: unknown): Promise<never> {
  const message = errorMessage(error);
  log.fatal(message);
  if (!isatty(1)) process.stderr.write(`${message}\n`);
  return end(1);
}

async function stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGHUP', code = 0) {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, 'stopping');
  setTimeout(crash, longestStopMs, new Error('Stopping took too long.')).unref();
  const jobsEnd = backend?.stopJobs();
  // On Ctrl+C in a terminal, or when it closes, there is no load balancer that must notice first.
  const outcome = await site?.stop(signal !== 'SIGINT' && signal !== 'SIGHUP');
  // Last, since the site's calls end in the backend.
  await backend?.stop();
  await jobsEnd;
  log.info({ outcome: outcome ?? 'finished' }, 'stopped');
  await end(code);
}

/** Stops a server whose store is in use by a newer version: it would not start on that store either. */
function giveWay(error: Error): Promise<void> {
  log.fatal(error.message);
  return stop(undefined, 1);
}

/** Starts what was requested: the site with its own backend, the site in front of another one, or only the backend. */
async function start(): Promise<void> {
  if (alone || config.site.embeddedBackend) {
    const { startBackend } = await import('./backend/start.ts');
    backend = await startBackend(config.backend, log, alone ? 'info' : 'debug');
    void backend.outdated.then(giveWay);
  }
  if (alone) return;
  const { start: startSite } = await import('./site/start.ts');
  site = await startSite({ ...config.site, ...(backend && { apiBaseUrl: backend.url }) }, log);
}

process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);
// Before the rest is loaded: in the first process of a container, a signal without a handler is ignored.
process.on('SIGTERM', () => stop('SIGTERM'));
process.on('SIGINT', () => stop('SIGINT'));
process.on('SIGHUP', () => stop('SIGHUP'));

await start().catch(refuseToStart);
