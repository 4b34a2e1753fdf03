/** A value that others can watch. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** @returns a function that ends the watching */
  watch(watcher: () => void): () => void;
}

/** Creates a store; watchers run after every `set`. */
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
