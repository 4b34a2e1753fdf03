import type { Plugin } from 'vite';

/**
 * Runs before a lazy import in the browser: adds the style sheets that the document has neither as files nor inline,
 * and waits for them and for the scripts. A browser may cache a failed import for good, so only another page load would
 * bring the script; a failed fetch can be retried. An error has the status as its cause. Vite's own helper does more (nonces, events), and takes 0.7 kB of
 * the 8 kB that every page may load.
 */
const helper = `
const get = async (href) => {
  const response = await fetch(href);
  if (!response.ok) throw new Error(href, { cause: response.status });
  await response.text();
};
const style = (href) => new Promise((resolve, reject) => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.onload = resolve;
  link.onerror = () => { link.remove(); get(href).then(() => reject(new Error(href)), reject); };
  link.href = href;
  document.head.append(link);
});
const scripts = {};
const script = async (href) => {
  if (scripts[href]) return;
  await get(href);
  scripts[href] = true;
};
export const __vitePreload = (load, files = []) => Promise.all(files.map((file) => {
  const href = '/' + file;
  if (href.endsWith('.js')) return script(href);
  return document.querySelector('link[href="' + href + '"], style[data-files~="' + href + '"]') || style(href);
})).then(load);
`;

/**
 * Vite plugin: a smaller helper for lazy imports, which takes Vite's file list of each import. The build fails if Vite
 * renames its own helper, since the large one would then be used.
 */
export function smallPreload(): Plugin {
  let replaced = false;
  return {
    name: 'millrace:small-preload',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler() {
        replaced = true;
        return { code: helper, moduleSideEffects: false };
      },
    },
    generateBundle() {
      if (this.environment.name !== 'client' || replaced) return;
      this.error(
        'Vite no longer uses vite/preload-helper: find out what runs before its lazy imports, and replace that.',
      );
    },
  };
}
