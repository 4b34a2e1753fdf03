/** A value with subscribers. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** @returns a function that unsubscribes */
  watch(watcher: () => void): () => void;
}

/** Creates a store; subscribers run after every `set`. */
export function createStore<T>(first: T): Store<T> {
  let current = first;
  const watchers = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      current = value;
      for (const watcher of watchers) watcher();
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}
