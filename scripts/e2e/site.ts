import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '../../server/error-message.ts';
import { bareEnv } from '../../server/testing/bare-env.ts';
import { freePort } from '../../server/testing/free-port.ts';
import { patience } from '../../server/testing/patience.ts';
import { removeDataDir } from '../../server/testing/remove-data-dir.ts';
import { testedProgram } from '../../server/testing/tested-program.ts';

const root = resolve(import.meta.dirname, '../..');

/** A server running in its own process, as an operator would start it. */
export interface RunningSite {
  url: string;
  process: ChildProcess;
  dataDir: string;
  /** Milliseconds from the process's start until /readyz answered 200. */
  readyAfterMs: number;
  /** Everything the server wrote so far. */
  output(): string;
  /** Sends SIGTERM and waits for the exit; the data folder is removed if `startSite` created it. */
  stop(): Promise<number | null>;
}

interface SiteOptions {
  env?: Record<string, string>;
  /** A folder that outlives the site, e.g. for a second, warm start. */
  dataDir?: string;
  /** Options for Node.js itself. */
  nodeOptions?: readonly string[];
  /** Discards standard output, for loads whose log would fill the memory. */
  silent?: boolean;
  /** Time limit in milliseconds; a big content folder needs more. */
  limitMs?: number;
}

/** Starts the built server on a free port with an empty DATA_DIR and waits until it is ready. */
export async function startSite(options: SiteOptions = {}): Promise<RunningSite> {
  try {
    return await startOn(options.env?.PORT ? Number(options.env.PORT) : await freePort(), options);
  } catch (error) {
    const isTaken = error instanceof Error && error.message.includes('is in use by another program');
    // Another test file's server may have taken the port; a requested port is never changed.
    if (!isTaken || options.env?.PORT) throw error;
    return startOn(await freePort(), options);
  }
}

async function startOn(port: number, options: SiteOptions): Promise<RunningSite> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'millrace-data-')));
  const started = performance.now();
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), testedProgram('main')], {
    cwd: root,
    env: {
      ...inherited(),
      HOST: '127.0.0.1',
      PORT: String(port),
      CONSOLE_PORT: '0',
      DATA_DIR: dataDir,
      ...options.env,
    },
    stdio: ['ignore', options.silent ? 'ignore' : 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (chunk: string) => chunks.push(chunk));
  }
  const output = () => chunks.join('');
  // Later than 'exit': by then the output has been read to the end.
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    const code = await end(child, closed);
    if (!options.dataDir) await removeDataDir(dataDir);
    return code;
  };
  try {
    const says = options.silent ? undefined : `"address":"${url}"`;
    const { limitMs = patience.timeout } = options;
    const readyAfterMs = await untilReady(child, url, says, started, limitMs, closed, output);
    return { url, process: child, dataDir, readyAfterMs, output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The environment of the person who runs the tests must not change what is tested. */
function inherited(): NodeJS.ProcessEnv {
  const kept = ['HOME', 'TMPDIR', 'LANG', 'TZ', 'SystemRoot', 'TEMP', 'STRICT_CONTENT', 'DATABASE_URL'];
  const entries = kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...bareEnv(), ...Object.fromEntries(entries) };
}

/**
 * @param says text in the output of a listening site; a silent one has none
 * @returns milliseconds until /readyz answered 200
 * @throws with the server's output, if it exited or took too long
 */
async function untilReady(
  child: ChildProcess,
  url: string,
  says: string | undefined,
  started: number,
  limitMs: number,
  closed: Promise<void>,
  output: () => string,
) {
  const spawnFault = { error: undefined as Error | undefined };
  child.once('error', (error) => {
    spawnFault.error = error;
  });
  let answer = 'it was not asked';
  while (performance.now() - started < limitMs) {
    if (spawnFault.error) throw spawnFault.error;
    if (child.exitCode !== null || child.signalCode) {
      await closed;
      throw new Error(`The server ended (${child.signalCode ?? child.exitCode}) before it was ready:\n${output()}`);
    }
    // Earlier, another process on that port might answer; a silent site is trusted.
    if (says === undefined || output().includes(says)) {
      answer = await askReady(url);
      if (answer === '200') return performance.now() - started;
    }
    await pause(10);
  }
  throw new Error(`The server was not ready after ${limitMs} ms (/readyz: ${answer}):\n${output()}`);
}

/** @returns the status, or the error that prevented it */
async function askReady(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(20_000) });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return errorMessage(error);
  }
}

async function end(child: ChildProcess, closed: Promise<void>): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode) return child.exitCode;
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), patience.timeout);
  await closed;
  clearTimeout(late);
  return child.exitCode;
}
