import { type Browser, chromium, type LaunchOptions } from 'playwright';
import { patience } from '../../server/testing/patience.ts';
import { patientBrowser } from './patient-browser.ts';

/** Without these, Chromium calls Google at every start, which fails slowly on closed networks and clutters the log. */
export const chromiumFlags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  // Chromium's sandbox refuses to run as root, as in most CI machines and containers.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Path of the Chromium that the bootstrap found: the headless shell if there is one. */
export function chromiumPath(): string {
  const path = process.env.CHROMIUM_PATH;
  if (!path)
    throw new Error('CHROMIUM_PATH is not set: start through npm (npm test, npm run pictures, npm run bench).');
  return path;
}

/** Starts a real, headless Chromium. */
export async function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  return await launch({ executablePath: chromiumPath(), args: [...chromiumFlags, ...flags] });
}

/** The last list of features counts, so those that Playwright turns off and these tests could meet are repeated. */
const turnedOff = [
  // It drops a page that takes three seconds to be left.
  'BackForwardCacheEntryTimeout',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'PaintHolding',
  // These call Google.
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/**
 * Starts a Chromium with the back/forward cache, which keeps a left page with its scripts. Playwright turns it off by
 * default, and the headless shell has none.
 */
export async function launchWithBackForwardCache(): Promise<Browser> {
  const path = process.env.FULL_CHROMIUM_PATH;
  if (!path)
    throw new Error(
      'These tests need the full Chromium, which keeps pages for the way back: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to its path, and start through npm.',
    );
  const ignoreDefaultArgs = ['--disable-back-forward-cache'];
  const args = [...chromiumFlags, `--disable-features=${turnedOff.join()}`];
  return await launch({ executablePath: path, args, ignoreDefaultArgs });
}

async function launch(options: LaunchOptions): Promise<Browser> {
  return patientBrowser(await chromium.launch({ timeout: patience.timeout, ...options }));
}
