import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** The console backend as a process of its own, as `npm run start:console` starts it. */
export interface BackendProcess {
  url: string;
  pid: number;
  /** What it has logged so far. */
  log(): string;
  /** Ends it as the kernel does: nothing in it can be finished. */
  kill(): Promise<void>;
}

const main = join(import.meta.dirname, '../main.ts');
const line = z.looseObject({ msg: z.string(), url: z.string().optional() });

/** Starts it on a free port. @throws with what it said when it does not listen */
export async function startBackend(env: Record<string, string>): Promise<BackendProcess> {
  const child = spawn(process.execPath, [main, '--console'], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', CONSOLE_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
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
    void exit.then(() => reject(new Error(`The backend ended before it listened:\n${said.join('\n')}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    log: () => said.join('\n'),
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
