import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { resolve } from 'node:path';
import { cannotStart } from './dev/cannot-start.ts';
import { gather } from './dev/gather.ts';

// `npm run dev`: runs the development server and restarts it when server code changes. `node --watch` is no option: it
// writes its own messages into the compile threads' channel.
const root = resolve(import.meta.dirname, '..');
let child = run();

function run(): ChildProcess {
  const serve = spawn(process.execPath, [resolve(root, 'scripts/dev/serve.ts')], { cwd: root, stdio: 'inherit' });
  // After any other exit it is restarted once the code has been fixed.
  return serve.once('exit', (code) => code === cannotStart && process.exit(1));
}

async function end(): Promise<void> {
  if (child.exitCode !== null || child.signalCode) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 2_000);
  await gone;
  clearTimeout(late);
}

const changed = gather<string>(50, async (files) => {
  console.log(`› ${files.join(', ')} changed, restarting the server …`);
  await end();
  child = run();
});

for (const folder of ['server', 'client/contract', 'scripts/dev']) {
  watch(resolve(root, folder), { recursive: true }, (_, name) => {
    if (name?.endsWith('.ts') && !name.endsWith('.test.ts')) changed(`${folder}/${name}`);
  });
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    await end();
    process.exit();
  });
}
