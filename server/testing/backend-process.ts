import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { bareEnv } from './bare-env.ts';
import { patience } from './patience.ts';
import { testedProgram } from './tested-program.ts';

/** The console backend as a separate process, as `npm run start:console` starts it. */
export interface BackendProcess {
  url: string;
  pid: number;
  /** What it has logged so far. */
  log(): string;
  /** Kills it with a signal that it cannot handle: nothing in it can finish. */
  kill(): Promise<void>;
  /** Asks it to stop. @returns its exit code */
  terminate(): Promise<number | null>;
  /** Its current job processes. */
  jobProcesses(): number[];
}

const main = testedProgram('main');
const jobScript = /engine\/main\b.*\.m?[jt]s/;
const line = z.looseObject({ msg: z.string(), url: z.string().optional() });
/** In the log of a start that PostgreSQL did not answer in time. */
const storeWasSlow = /"The database of DATABASE_URL [^"]*timeout/;

/**
 * Starts it on a free port, and again if PostgreSQL was too slow, as on a starved machine: it would listen without its
 * store.
 * @param under a program that starts it in its own place, with that program's arguments, as `prlimit` does
 * @throws with its output when it does not listen
 */
export async function startBackendProcess(
  env: Record<string, string>,
  under: readonly string[] = [],
): Promise<BackendProcess> {
  const end = performance.now() + patience.timeout;
  for (;;) {
    const backend = await startOnce(env, under);
    if (!storeWasSlow.test(backend.log())) return backend;
    await backend.terminate();
    if (performance.now() > end) throw new Error(`Its store does not answer:\n${backend.log()}`);
  }
}

async function startOnce(env: Record<string, string>, under: readonly string[]): Promise<BackendProcess> {
  const [program = process.execPath, ...parameters] = [...under, process.execPath, main, '--console'];
  const child = spawn(program, parameters, {
    env: { ...bareEnv(), CONSOLE_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Its last output may arrive after its exit.
  const end = once(child, 'close');
  const said: string[] = [];
  let listening = false;
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      said.push(text);
      if (listening) return;
      const { msg, url } = line.parse(JSON.parse(text));
      listening = msg === 'the console backend is listening';
      if (listening) resolve(url ?? '');
    });
    void end.then(() => reject(new Error(`The backend ended before it listened:\n${said.join('\n')}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    log: () => said.join('\n'),
    async kill() {
      child.kill('SIGKILL');
      await end;
    },
    async terminate() {
      child.kill('SIGTERM');
      await end;
      return child.exitCode;
    },
    jobProcesses: () => childrenOf(child.pid ?? 0).filter((pid) => jobScript.test(readProcess(pid, 'cmdline'))),
  };
}

function childrenOf(parent: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  // After the program's name, which may contain anything: state, then the parent.
  return all.map(Number).filter((pid) => readProcess(pid, 'stat').split(') ').at(-1)?.split(' ')[1] === String(parent));
}

/** Empty when the process has already ended. */
function readProcess(pid: number, file: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
