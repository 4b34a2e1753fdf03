import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { read } from './files.mjs';
import { inRoot } from './root.mjs';
import { say } from './say.mjs';

/** Has the process ID of the build that runs in this folder. */
const turnFile = inRoot('dist', '.building');
const own = String(process.pid);
const lookEveryMs = 200;

/**
 * Waits until no other process builds in this folder: two builds at once remove and mix each other's files.
 * @returns lets the next one build
 */
export function takeBuildTurn() {
  if (read(turnFile) === own) return () => undefined;
  mkdirSync(inRoot('dist'), { recursive: true });
  for (let told = false; !tryTake(); told = true) {
    if (!told)
      say(`Waiting for the build of process ${read(turnFile)} here; if there is none, delete dist/.building …`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookEveryMs);
  }
  return () => rmSync(turnFile, { force: true });
}

function tryTake() {
  try {
    writeFileSync(turnFile, own, { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const holder = read(turnFile);
  // A killed build leaves its turn.
  if (holder && !isRunning(Number(holder))) rmSync(turnFile, { force: true });
  return false;
}

/** @param {number} id of a process */
function isRunning(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // Another user's process.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
