/** The cache no longer has the text of a page that is served; the loader can recreate it. */
export class LostBodyError extends Error {
  readonly file: string;

  constructor(file: string) {
    super(`The compiled text of ${file} is no longer in the cache.`);
    this.file = file;
  }
}

/**
 * Runs `read`, and whenever it lacks a text, has it recreated and runs again.
 * @throws what `read` throws, and LostBodyError when a text is lost again at once
 */
export async function withBodies<T>(read: () => T | Promise<T>, restore: (file: string) => Promise<void>): Promise<T> {
  const restored = new Set<string>();
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LostBodyError) || restored.has(error.file)) throw error;
      restored.add(error.file);
      await restore(error.file);
    }
  }
}
