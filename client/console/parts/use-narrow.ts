import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(width < 40em)');

function subscribe(callback: () => void): () => void {
  narrow.addEventListener('change', callback);
  return () => narrow.removeEventListener('change', callback);
}

/** Whether the window is as narrow as a phone's; the style sheets use the same limit. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
