import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inlineStyles } from './inline-styles.ts';
import { pageScript } from './page-script.ts';
import { render, renderCrash } from './render.ts';
import type { Rendered, SiteServices } from './services.ts';

const built = join(import.meta.dirname, '../../dist');

/** Folder of the built files for the browser. */
export const clientDir = join(built, 'client');

/** Loads the built pages. @throws with one sentence when there are none */
export async function importBuiltPages(): Promise<void> {
  const entry = join(built, 'server/entry.mjs');
  if (!existsSync(entry))
    throw new Error('The pages are not built: run `npm run build` first, or start with `npm start`.');
  await import('../../dist/server/entry.mjs');
}

/**
 * How pages become documents: Vite changes scripts and style sheets while it serves them; built ones have their hash in
 * their name.
 */
export function pageRenderers(withVite: boolean): Pick<SiteServices, 'render' | 'renderCrash'> {
  if (withVite) return { render, renderCrash };
  const withScript = pageScript(clientDir);
  const withStyles = inlineStyles(clientDir);
  const finished = ({ status, html }: Rendered, waits: boolean) => ({ status, html: withScript(html, waits) });
  return {
    // The console is drawn by its script: there the first paint is not worth waiting for.
    render: async (page, site) => withStyles(finished(await render(page, site), page.folder !== 'console')),
    renderCrash: async (site, id) => finished(await renderCrash(site, id), true),
  };
}

/** Version of what the browser loads: the names of all built files contain their content hashes. */
export function builtVersion(): string {
  const files = readFileSync(join(built, 'assets.json'));
  return createHash('sha256').update(files).digest('hex').slice(0, 8);
}
