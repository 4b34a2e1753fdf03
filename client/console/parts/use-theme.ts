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

/** The current theme, chosen or the system's: used as a `key`, it redraws a canvas, whose colours are fixed. */
export function useTheme(): string {
  return useSyncExternalStore(subscribe, () => html.dataset.theme ?? (system.matches ? 'dark' : 'light'));
}
