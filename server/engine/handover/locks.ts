/** Requests for a table so far. */
interface Asked {
  everybody: Promise<unknown>;
  /** The last request for exclusive use; undefined if there was none. */
  alone: Promise<unknown> | undefined;
}

/** Who works on a target table: one batch alone, or several chunks side by side, never both at the same time. */
export class TableLocks {
  readonly #asked = new Map<string, Asked>();

  /** Runs `work` once all earlier requests for one of these tables are done. */
  async with<Result>(tables: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const before = tables.map((table) => this.#asked.get(table)?.everybody);
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    this.#ask(tables, { everybody: done, alone: done });
    return await run(before, work, release);
  }

  /** Runs `work` once all earlier exclusive requests for the table are done. */
  async share<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#asked.get(table);
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    this.#ask([table], { everybody: Promise.all([before?.everybody, done]), alone: before?.alone });
    return await run([before?.alone], work, release);
  }

  #ask(tables: readonly string[], asked: Asked): void {
    for (const table of tables) this.#asked.set(table, asked);
    void asked.everybody.then(() => {
      for (const table of tables) if (this.#asked.get(table) === asked) this.#asked.delete(table);
    });
  }
}

async function run<Result>(
  before: readonly (Promise<unknown> | undefined)[],
  work: () => Promise<Result>,
  release: () => void,
): Promise<Result> {
  try {
    await Promise.all(before);
    return await work();
  } finally {
    release();
  }
}
