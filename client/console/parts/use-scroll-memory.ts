import { useEffect, useRef } from 'react';

/** Where each page was left, in CSS pixels, by its path. */
const positions = new Map<string, number>();

/** Scrolls a page that back or forward leads to where it was left, and any other page to its top. */
export function useScrollMemory(path: string): void {
  const shown = useRef(path);
  const isReturn = useRef(false);

  useEffect(() => {
    const keep = () => positions.set(shown.current, scrollY);
    const note = () => {
      isReturn.current = location.pathname !== shown.current;
    };
    addEventListener('scroll', keep, { passive: true });
    // Before the router's own listener, which may show the page at once.
    addEventListener('popstate', note, { capture: true });
    return () => {
      removeEventListener('scroll', keep);
      removeEventListener('popstate', note, { capture: true });
    };
  }, []);

  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    scrollTo(0, isReturn.current ? (positions.get(path) ?? 0) : 0);
    isReturn.current = false;
  }, [path]);
}
