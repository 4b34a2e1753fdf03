import { expect } from 'vitest';
import type { Change } from '../change.ts';
import { hasReached, type Position } from '../position.ts';
import type { Source } from '../source.ts';
import type { Table } from '../table.ts';
import { sorted } from './sorted.ts';
import type { SourceHarness } from './source-harness.ts';
import type { Copy } from './streamed-copy.ts';
import { userTables } from './users.ts';

export const job = 'canal0123456789a';

/** A source on a fresh database of its own, with what its tests read by. */
export class TestedSource {
  readonly harness: SourceHarness;
  #source: Source;
  #ended: AbortController;
  readonly tables: readonly Table[];

  private constructor(harness: SourceHarness, source: Source, ended: AbortController, tables: readonly Table[]) {
    this.harness = harness;
    this.#source = source;
    this.#ended = ended;
    this.tables = tables;
  }

  static async open(harness: SourceHarness): Promise<TestedSource> {
    const ended = new AbortController();
    const source = harness.open(ended.signal);
    const names: string[] = Object.values(userTables);
    const tables = (await source.catalog([])).filter(({ name }) => names.includes(name));
    return new TestedSource(harness, source, ended, tables);
  }

  get source(): Source {
    return this.#source;
  }

  close = async (): Promise<void> => {
    await this.#source.release(job);
    await this.#source.close();
    this.#ended.abort();
    await this.harness.close();
  };

  /** Ends the job that the source is open for. */
  end = (): void => this.#ended.abort();

  reopen = (): void => {
    this.#ended = new AbortController();
    this.#source = this.harness.open(this.#ended.signal);
  };

  /** Everything that is in the log now. */
  follow = async (from: Position): Promise<Change[][]> => {
    const own = this.harness.open(this.#ended.signal);
    const stream = await own.stream(job, from, this.tables);
    try {
      return await readUntil(stream, await own.now());
    } finally {
      await stream.close();
      await own.close();
    }
  };

  expectSame = async (copy: Copy): Promise<void> => {
    for (const table of this.tables) expect(copy.rows(table)).toEqual(sorted(await this.harness.rows(table)));
  };
}

/** Transactions until the stream has passed a position. */
export async function readUntil(stream: AsyncIterable<readonly Change[]>, end: Position): Promise<Change[][]> {
  const transactions: Change[][] = [];
  const open: Change[] = [];
  const iterator = stream[Symbol.asyncIterator]();
  for (let position: Position | null = null; !hasReached(position, end); ) {
    const { done, value } = await iterator.next();
    if (done) throw new Error('The stream ended by itself.');
    for (const change of value) {
      if (change.kind !== 'alive') open.push(change);
      if (change.kind === 'commit') transactions.push(open.splice(0));
      if (change.kind === 'commit' || change.kind === 'alive') position = change.position;
    }
  }
  return transactions;
}

export function commits(transactions: readonly Change[][]): Position[] {
  return transactions.flat().flatMap((change) => (change.kind === 'commit' ? [change.position] : []));
}
