/** Who works on a table of the target: a chunk and a batch of one table never at the same time. */
export class TableLocks {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` when everybody who asked before for one of these tables is done. */
  async with<Result>(tables: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const before = tables.map((table) => this.#last.get(table));
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    for (const table of tables) this.#last.set(table, done);
    try {
      await Promise.all(before);
      return await work();
    } finally {
      release();
      for (const table of tables) if (this.#last.get(table) === done) this.#last.delete(table);
    }
  }
}
