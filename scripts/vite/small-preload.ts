import type { Plugin } from 'vite';

/**
 * What runs before a lazy import in the browser: adds the style sheets that the document has neither as files nor
 * inside, and waits for them and for the scripts. A browser may remember for good that a script did not come when it was
 * imported, so that nothing but another page would bring it; what was only fetched can be tried again. Vite's own does
 * more (nonces, events), and weighs 0.7 kB of the 8 kB that every page may load.
 */
const helper = `
const style = (href) => new Promise((resolve, reject) => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.onload = resolve;
  link.onerror = () => { link.remove(); reject(new Error(href)); };
  link.href = href;
  document.head.append(link);
});
const scripts = {};
const script = async (href) => {
  if (scripts[href]) return;
  const response = await fetch(href);
  if (!response.ok) throw new Error(href);
  await response.text();
  scripts[href] = true;
};
export const __vitePreload = (load, files = []) => Promise.all(files.map((file) => {
  const href = '/' + file;
  if (href.endsWith('.js')) return script(href);
  return document.querySelector('link[href="' + href + '"], style[data-files~="' + href + '"]') || style(href);
})).then(load);
`;

/**
 * Vite plugin: a smaller helper for lazy imports; for the lists that Vite makes of the files of each. It ends the build when Vite gives its own helper another name: the large one would be in use then.
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
        'Vite asks for no vite/preload-helper any more: see what runs before its lazy imports, and replace that.',
      );
    },
  };
}
