import type { Action, TableBatch } from '../batch.ts';
import type { Cell, Key, Row } from '../change.ts';
import { compact } from '../flow/compact.ts';
import { makeRoute, type Route } from '../flow/route.ts';
import type { Mark, MarkUpdate, TableMark } from '../mark.ts';
import type { Load, Sink } from '../sink.ts';
import type { Table } from '../table.ts';
import { positionAt } from './model.ts';
import { modelTables } from './model-tables.ts';
import type { SinkHarness } from './sink-harness.ts';
import { sorted } from './sorted.ts';

export const job = 'canal0123456789b';
export const mark: TableMark = {
  state: 'copying',
  ranges: [{ from: null, to: ['a', { bytes: 'AAE=' }], after: null, done: false }],
  rows: 7,
  liveAfter: positionAt(3),
  skippedFrom: null,
  aheadUntil: null,
  resync: false,
  code: null,
  shape: '{}',
  target: '16384',
  files: ['1/2'],
  wasEmpty: true,
};
const selection = {
  schema: 'model',
  target: { schema: 'model', name: '' },
  columns: null,
  renamed: {},
  filter: null,
};

/** A sink on a fresh database of its own, taken over by a job, with what its tests write and read by. */
export class TestedSink {
  readonly harness: SinkHarness;
  /** From each table of the model to its table at the target. */
  readonly routes: ReadonlyMap<string, Route>;
  #sink: Sink;
  #epoch: number;
  readonly #ended: AbortController;

  private constructor(harness: SinkHarness, routes: ReadonlyMap<string, Route>, opened: Opened) {
    this.harness = harness;
    this.routes = routes;
    this.#sink = opened.sink;
    this.#epoch = opened.epoch;
    this.#ended = opened.ended;
  }

  static async open(harness: SinkHarness): Promise<TestedSink> {
    const ended = new AbortController();
    const sink = harness.open(ended.signal);
    const tables = await sink.catalog([]);
    const routes = new Map(
      modelTables.map((source) => {
        const target = tables.find(({ name }) => name === source.name);
        if (!target) throw new Error(`The harness made no table ${source.name}.`);
        return [source.id, makeRoute(source, { ...selection, name: source.name }, target)];
      }),
    );
    const { epoch } = await sink.takeOver(job);
    return new TestedSink(harness, routes, { sink, epoch, ended });
  }

  /** The open one: `again` opens another. */
  get sink(): Sink {
    return this.#sink;
  }

  close = async (): Promise<void> => {
    await this.#sink.close();
    this.#ended.abort();
    await this.harness.close();
  };

  /** Takes the job over as its next process would. */
  again = async (): Promise<Mark> => {
    await this.#sink.close();
    this.#sink = this.openAnother();
    const found = await this.#sink.takeOver(job);
    this.#epoch = found.epoch;
    return found;
  };

  openAnother = (): Sink => this.harness.open(this.#ended.signal);

  /** Opens one whose connection breaks at the next COMMIT. */
  openFailing = (when: 'before' | 'after'): Promise<Sink> => this.harness.openFailing(this.#ended.signal, when);

  target = (name: string): Table => {
    const route = this.routes.get(name);
    if (!route) throw new Error(`There is no table ${name}.`);
    return route.target;
  };

  row = (...texts: Row): Row => texts.map((text) => (typeof text === 'string' ? this.harness.cell(text) : text));

  key = (...texts: string[]): Key => texts.map((text) => textOrBytes(this.harness.cell(text)));

  batch = (name: string, ...actions: Action[]): TableBatch =>
    compact({ target: this.target(name), truncate: false, actions });

  update = (more: Partial<MarkUpdate> = {}): MarkUpdate => ({ job, epoch: this.#epoch, ...more });

  load = async (name: string, rows: readonly Row[], more: Partial<Load> = {}): Promise<void> => {
    await this.#sink.load(
      { table: this.target(name), rows, absent: [], replace: null, conflict: 'replace', ...more },
      this.update({ tables: new Map([[name, mark]]) }),
    );
  };

  /** All rows of a table, sorted. */
  rows = async (name: string): Promise<(string | null)[][]> => sorted(await this.harness.rows(this.target(name)));
}

interface Opened {
  sink: Sink;
  epoch: number;
  ended: AbortController;
}

export const ignoreMissing = () => ({});

export async function* inParts(...parts: Row[][]): AsyncGenerator<Row[]> {
  yield* parts;
}

function textOrBytes(cell: Cell): string | Uint8Array {
  if (typeof cell === 'string' || cell instanceof Uint8Array) return cell;
  throw new Error('A key has no such cell.');
}
