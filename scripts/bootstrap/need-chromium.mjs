import { findChromiums } from './chromium.mjs';
import { giveUp } from './say.mjs';

/**
 * Paths of the browsers for the browser tests: one for all of them, and one with a back/forward cache, if installed.
 * Without any Chromium the process exits.
 * @returns {{ any: string, full: string | undefined }}
 */
export function needChromiums() {
  const { shell, full } = findChromiums();
  return { any: shell ?? full ?? none(), full };
}

/** Path of a Chromium for pictures and measurements: the full one if there is one. @returns {string} */
export function needChromium() {
  const { shell, full } = findChromiums();
  return full ?? shell ?? none();
}

function none() {
  const named = process.env.CHROMIUM_PATH;
  return giveUp(
    named
      ? `CHROMIUM_PATH names ${named}, which does not exist or cannot be run.`
      : 'No Chromium was found: install one (Debian: apt-get install chromium chromium-headless-shell) or set CHROMIUM_PATH to its path.',
  );
}
