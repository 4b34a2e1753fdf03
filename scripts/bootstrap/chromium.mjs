import { accessSync, constants, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';

const shells = {
  names: ['chromium-headless-shell', 'chrome-headless-shell'],
  places: ['/usr/lib/chromium/chromium-headless-shell'],
  downloads: /^chromium_headless_shell-/,
  inside: [
    'chrome-headless-shell-linux64/chrome-headless-shell',
    'chrome-linux/headless_shell',
    'chrome-headless-shell-mac-arm64/chrome-headless-shell',
    'chrome-headless-shell-mac-x64/chrome-headless-shell',
    'chrome-headless-shell-win64/chrome-headless-shell.exe',
  ],
};
const fulls = {
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
  places: [
    '/usr/lib/chromium/chromium',
    '/snap/bin/chromium',
    '/opt/google/chrome/chrome',
    '/opt/homebrew/bin/chromium',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
  downloads: /^chromium-/,
  inside: [
    'chrome-linux64/chrome',
    'chrome-linux/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    'chrome-win/chrome.exe',
  ],
};

/**
 * Paths of the two kinds of Chromium: the one named by CHROMIUM_PATH, else the system's, else what Playwright downloaded.
 * The headless shell is faster; only the full browser keeps left pages in its back/forward cache.
 * @returns {{ shell: string | undefined, full: string | undefined }}
 */
export function findChromiums() {
  const named = process.env.CHROMIUM_PATH;
  if (!named) return { shell: find(shells), full: find(fulls) };
  const path = runs(named) ? named : undefined;
  return /headless[-_]shell/.test(basename(named))
    ? { shell: path, full: find(fulls) }
    : { shell: undefined, full: path };
}

/** @param {typeof fulls} kind @returns {string | undefined} */
function find({ names, places, downloads, inside }) {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const downloaded = caches().flatMap((cache) =>
    list(cache).flatMap((folder) => (downloads.test(folder) ? inside.map((path) => join(cache, folder, path)) : [])),
  );
  return [...onPath, ...places, ...downloaded].find(runs);
}

/** Folders of Playwright's downloads. */
function caches() {
  const { PLAYWRIGHT_BROWSERS_PATH, LOCALAPPDATA } = process.env;
  return [
    ...(PLAYWRIGHT_BROWSERS_PATH ? [PLAYWRIGHT_BROWSERS_PATH] : []),
    join(homedir(), '.cache/ms-playwright'),
    join(homedir(), 'Library/Caches/ms-playwright'),
    ...(LOCALAPPDATA ? [join(LOCALAPPDATA, 'ms-playwright')] : []),
  ];
}

/** @param {string} folder */
function list(folder) {
  try {
    return readdirSync(folder).sort().reverse();
  } catch {
    return [];
  }
}

/** @param {string} path */
function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
