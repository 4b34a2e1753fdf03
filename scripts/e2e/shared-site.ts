import type { TestProject } from 'vitest/node';
import { startSite } from './site.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the site that all browser tests share. */
    siteUrl: string;
  }
}

/** Vitest's global set-up: one site for all browser tests; a test that changes the server starts its own. */
export async function setup(project: TestProject): Promise<() => Promise<unknown>> {
  // Every context of a browser is a visitor of its own: see browser.ts.
  const site = await startSite({ env: { TRUSTED_PROXIES: 'loopback' } });
  project.provide('siteUrl', site.url);
  return () => site.stop();
}
