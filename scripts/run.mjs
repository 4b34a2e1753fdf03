import { ensureBuilt, programsFolder } from './bootstrap/build.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { needChromium } from './bootstrap/need-chromium.mjs';
import { become } from './bootstrap/node.mjs';

// `node scripts/run.mjs [--build] [--chromium] <script> [arguments]`: starts every other npm script, so that these too
// work on a fresh clone and on the right Node.js.
const args = process.argv.slice(2);
const wants = (/** @type {string} */ option) => args[0] === option && Boolean(args.shift());

ensureInstalled();
const env = {
  ...(wants('--build') && built()),
  ...(wants('--chromium') && { CHROMIUM_PATH: needChromium() }),
};
await become(args, env);

function built() {
  ensureBuilt();
  return { TESTED_PROGRAMS: programsFolder };
}
