import { findChromium } from './chromium.mjs';
import { giveUp } from './say.mjs';

/** Path of a Chromium; without one the process ends. @returns {string} */
export function needChromium() {
  const named = process.env.CHROMIUM_PATH;
  return (
    findChromium() ??
    giveUp(
      named
        ? `CHROMIUM_PATH names ${named}, which is not there or cannot be run.`
        : 'No Chromium was found: install one (Debian: apt-get install chromium) or set CHROMIUM_PATH to its path.',
    )
  );
}
