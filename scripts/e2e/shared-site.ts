import type { TestProject } from 'vitest/node';
import { untilSearchable } from '../../server/testing/until-searchable.ts';
import { startSite } from './site.ts';
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
  await Promise.all([site, accounts].map(({ url }) => untilSearchable(url)));
  project.provide('siteUrl', site.url);
  project.provide('accountsUrl', accounts.url);
  project.provide('consoleUrl', console.url);
  return () => Promise.all([site.stop(), accounts.stop(), console.stop()]);
}
