import { useEffect, useRef } from 'react';
import { useSearch } from 'wouter';
import { keepPosition, numberEntry, restorePosition } from '../../navigation/scroll.ts';

/** Scrolls a page that back or forward leads to where it was left, and any other page to its top. */
export function useScrollMemory(path: string): void {
  const search = useSearch();
  const shown = useRef({ path, search });

  // The page that is left is still there while the next one is rendered, and its last scroll event may be yet to come.
  if (shown.current.path !== path || shown.current.search !== search) keepPosition();

  useEffect(() => {
    numberEntry();
    if (shown.current.path !== path) restorePosition();
    shown.current = { path, search };
  }, [path, search]);
}
