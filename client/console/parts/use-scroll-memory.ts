import { useEffect, useRef } from 'react';
import { useSearch } from 'wouter';

/** Scroll position of each history entry, in CSS pixels, by the number that is the entry's state. */
const positions = new Map<number, number>();

function takeOver(): void {
  history.scrollRestoration = 'manual';
}

function giveBack(): void {
  history.scrollRestoration = 'auto';
}

/** Scrolls a page that back or forward leads to where it was left, and any other page to its top. */
export function useScrollMemory(path: string): void {
  const search = useSearch();
  const shown = useRef(path);
  const entry = useRef(0);

  // Browsers differ in whether they scroll before or after the router shows the page. A reload is theirs.
  useEffect(() => {
    if (document.readyState === 'complete') takeOver();
    addEventListener('pageshow', takeOver);
    addEventListener('pagehide', giveBack);
    return () => {
      removeEventListener('pageshow', takeOver);
      removeEventListener('pagehide', giveBack);
      giveBack();
    };
  }, []);

  useEffect(() => {
    const keep = () => positions.set(entry.current, scrollY);
    addEventListener('scroll', keep, { passive: true });
    return () => removeEventListener('scroll', keep);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another query is another history entry.
  useEffect(() => {
    const known: unknown = history.state;
    const isReturn = typeof known === 'number';
    entry.current = isReturn ? known : Date.now();
    if (!isReturn) history.replaceState(entry.current, '');
    if (shown.current !== path) scrollTo(0, positions.get(entry.current) ?? 0);
    shown.current = path;
    positions.set(entry.current, scrollY);
  }, [path, search]);
}
