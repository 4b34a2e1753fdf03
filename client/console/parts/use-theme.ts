import { useSyncExternalStore } from 'react';

const html = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');

function subscribe(callback: () => void): () => void {
  const choice = new MutationObserver(callback);
  choice.observe(html, { attributeFilter: ['data-theme'] });
  system.addEventListener('change', callback);
  return () => {
    choice.disconnect();
    system.removeEventListener('change', callback);
  };
}

/** The theme in force, chosen or the system's: a canvas is drawn anew with its `key`, since its colours are fixed. */
export function useTheme(): string {
  return useSyncExternalStore(subscribe, () => html.dataset.theme ?? (system.matches ? 'dark' : 'light'));
}
