import { warn } from './report.ts';

/** One of the browser's two stores, as text by key; `null` removes. */
export interface Area {
  get(key: string): string | null;
  set(key: string, value: string | null): void;
  /** The names of everything stored. */
  names(): string[];
}

let warned = false;

function warnOnce(): void {
  if (!warned) warn('Browser storage is not available: choices last until the page is closed.');
  warned = true;
}

/** Reading `window.localStorage` itself can throw, so it is opened for each use. */
export function area(open: () => Storage): Area {
  const memory = new Map<string, string>();
  return {
    get(key) {
      try {
        return memory.get(key) ?? open().getItem(key);
      } catch {
        warnOnce();
        return null;
      }
    },
    set(key, value) {
      memory.delete(key);
      try {
        if (value === null) open().removeItem(key);
        else open().setItem(key, value);
      } catch {
        if (value !== null) memory.set(key, value);
        warnOnce();
      }
    },
    names() {
      try {
        return [...memory.keys(), ...Object.keys(open())];
      } catch {
        warnOnce();
        return [...memory.keys()];
      }
    },
  };
}

/** localStorage; falls back to memory when it is blocked. */
export const local = area(() => localStorage);

/** sessionStorage; falls back to memory when it is blocked. */
export const session = area(() => sessionStorage);

/**
 * Runs a task when another tab has stored something, or a page may have done so before the browser returned to this
 * one.
 */
export function onStoredElsewhere(task: () => void): void {
  for (const type of ['storage', 'pageshow']) addEventListener(type, task);
}
