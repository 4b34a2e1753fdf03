import type { TestProject } from 'vitest/node';
import { type RunningSite, startSite } from './site.ts';
import { startConsoleStandIn } from './upstream.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the site without accounts, shared by browser tests. */
    siteUrl: string;
    /** Address of the site whose calls the console answers. */
    accountsUrl: string;
    consoleUrl: string;
  }
}

/** Vitest's global set-up: sites for all browser tests; a test that changes the server or its settings starts its own. */
export async function setup(project: TestProject): Promise<() => Promise<unknown>> {
  const console = await startConsoleStandIn();
  // Every browser context is a separate visitor: see browser.ts.
  const env = { TRUSTED_PROXIES: 'loopback' };
  // Without the sites the tests cannot run.
  const limitMs = 300_000;
  const [site, accounts] = await Promise.all([
    startSite({ env, limitMs }),
    startSite({ env: { ...env, API_BASE_URL: console.url }, limitMs }),
  ]);
  await Promise.all([site, accounts].map(untilSearchable));
  project.provide('siteUrl', site.url);
  project.provide('accountsUrl', accounts.url);
  project.provide('consoleUrl', console.url);
  return () => Promise.all([site.stop(), accounts.stop(), console.stop()]);
}

/** Waits for the search index, whose building takes a starved machine longer than one search waits. */
async function untilSearchable({ url }: RunningSite): Promise<void> {
  for (let tries = 0; tries < 20 && !(await fetch(`${url}/search.json?q=mysql`)).ok; tries += 1);
}
