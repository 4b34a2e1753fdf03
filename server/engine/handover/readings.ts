import type { Chunk } from '../source.ts';
import type { TableProgress } from './table-progress.ts';

/** How long to wait before rereading a chunk whose snapshot was too old, in milliseconds. */
export const againMs = 50;

/** After this many late chunks, one is read while no change of its table is applied, so that it counts. */
export const heldAfter = 10;

/** A chunk being read, until its rows are at the target. */
export interface Reading {
  /** The target has the rows: keys that the chunk's snapshot sees can be forgotten, once no older chunk needs them. */
  settle(chunk: Chunk): void;
  end(): void;
}

/** Forgetting waits until the chunks that were being read when a snapshot came back have ended. */
interface Forgetting {
  sees: Chunk['sees'];
  readings: Set<object>;
}

/** Chunks being read, by table: one that began before another returned may be older, and still needs its keys. */
export class Readings {
  readonly #open = new Map<string, Set<object>>();
  readonly #forgettings = new Map<string, Forgetting[]>();

  begin(table: TableProgress): Reading {
    const own = {};
    const readings = this.#open.get(table.id) ?? new Set();
    this.#open.set(table.id, readings.add(own));
    return {
      settle: ({ sees }) => {
        const others = new Set(readings);
        others.delete(own);
        if (others.size === 0) {
          table.touched.forget(sees);
          return;
        }
        const waiting = this.#forgettings.get(table.id) ?? [];
        this.#forgettings.set(table.id, [...waiting, { sees, readings: others }]);
      },
      end: () => {
        readings.delete(own);
        this.#forget(table, own);
      },
    };
  }

  /** Forgets what was only waiting for the reading that has ended. */
  #forget(table: TableProgress, ended: object): void {
    const waiting = this.#forgettings.get(table.id);
    if (!waiting) return;
    for (const { readings } of waiting) readings.delete(ended);
    for (const { sees } of waiting.filter(({ readings }) => readings.size === 0)) table.touched.forget(sees);
    const left = waiting.filter(({ readings }) => readings.size > 0);
    if (left.length > 0) this.#forgettings.set(table.id, left);
    else this.#forgettings.delete(table.id);
  }
}
