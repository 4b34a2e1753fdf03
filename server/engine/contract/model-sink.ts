import type { Action, Met, Missing, Refused, TableBatch } from '../batch.ts';
import { type Key, keyOf, keyText, type Row } from '../change.ts';
import { EngineError, isOfRow } from '../errors.ts';
import { inBestOrder } from '../flow/compact.ts';
import { applyInParts, loadInParts } from '../flow/halve.ts';
import { mergeRows } from '../flow/route.ts';
import { resyncMark } from '../handover/table-progress.ts';
import { type Mark, type MarkUpdate, markedKey, type ParkedRow, type ParkedUpdate } from '../mark.ts';
import { type Load, replacedPart, type Sink } from '../sink.ts';
import { type Table, tableName } from '../table.ts';
import { readPrinted } from './model-print.ts';
import { comparedKey, comparedKeyOf, modelTables } from './model-tables.ts';
import type { Process } from './process.ts';

/** What the target holds; it outlives every process. */
export class ModelTarget {
  rows = new Map<string, Map<string, Row>>();
  mark: Mark = {
    incarnation: null,
    epoch: 0,
    position: null,
    slice: 0,
    unseen: [],
    rereads: [],
    tables: new Map(),
    parked: new Map(),
  };
  /** The fault `Reject`: which rows are refused; none at first. */
  rejects: (row: Row) => boolean = () => false;
  readonly count: (kind: string) => void;
  /** Tables that have the unique index on `code`: from the beginning, or since they became live. */
  readonly #indexed = new Set<string>();
  readonly #isIndexed: boolean;

  constructor(count: (kind: string) => void, isIndexed: boolean) {
    this.count = count;
    this.#isIndexed = isIndexed;
  }

  isIndexed({ id }: Table): boolean {
    return this.#isIndexed || this.#indexed.has(id);
  }

  /** Rows from an earlier moment that exist before the job: the first copy is a resync. */
  fill(table: Table, rows: readonly Row[]): void {
    for (const row of rows) this.of(table).set(comparedKeyOf(table, row), row);
    this.mark = { ...this.mark, tables: new Map([...this.mark.tables, [table.id, resyncMark()]]) };
  }

  of(table: Table): Map<string, Row> {
    const rows = this.rows.get(table.id) ?? new Map<string, Row>();
    this.rows.set(table.id, rows);
    return rows;
  }

  /** All or nothing, like a transaction. */
  transaction(work: () => void): void {
    const rows = structuredCopy(this.rows);
    const { mark } = this;
    try {
      work();
    } catch (error) {
      this.rows = rows;
      this.mark = mark;
      throw error;
    }
  }

  /** The parked row under a key. */
  parkedRow({ id }: Table, key: Key): ParkedRow | undefined {
    return this.mark.parked.get(id)?.find((row) => keyText(markedKey(row.key)) === keyText(key));
  }

  update({ epoch, tables, parked = [], job: _job, ...changes }: MarkUpdate): void {
    if (epoch !== this.mark.epoch) {
      this.count('stale epoch refused');
      throw new EngineError('EPOCH_LOST', { side: 'target' });
    }
    this.mark = { ...this.mark, ...changes, tables: new Map([...this.mark.tables, ...(tables ?? [])]) };
    for (const [id, { state }] of tables ?? []) if (state === 'live') this.#indexed.add(id);
    for (const one of parked) this.mark = { ...this.mark, parked: parkedAfter(this.mark.parked, one) };
  }
}

function parkedAfter(before: Mark['parked'], { table, unpark, park }: ParkedUpdate): Mark['parked'] {
  const gone = new Set([...(unpark === 'all' ? [] : unpark), ...park.map(({ number }) => number)]);
  const left = unpark === 'all' ? [] : (before.get(table) ?? []).filter(({ number }) => !gone.has(number));
  return new Map([...before, [table, [...left, ...park]]]);
}

function structuredCopy(rows: ReadonlyMap<string, ReadonlyMap<string, Row>>): Map<string, Map<string, Row>> {
  return new Map([...rows].map(([id, ofTable]) => [id, new Map(ofTable)]));
}

/** The target as a process writes to it. */
export function modelSink(target: ModelTarget, process: Process): Sink {
  const write = (work: () => void) => process.write(() => target.transaction(work));
  return {
    delivery: 'atomic',
    check: async () => [],
    withSign: (work) => work('model'),
    catalog: () => process.call(() => [...modelTables]),
    namesakes: async () => new Map(),
    findMade: async (statements) => statements.map(() => false),
    run: async () => false,
    alter: async () => 'needless',
    addLabels: async () => 0,
    taken: async () => new Map(),
    claim: async () => new Map(),
    takeOver: () =>
      process.call(() => {
        target.mark = { ...target.mark, epoch: target.mark.epoch + 1 };
        return target.mark;
      }),
    load: (load, mark, parkedOf = () => []) =>
      write(() => {
        const refused = loadRows(target, load);
        const parked = parkedOf(refused);
        countLoad(target, load, parked);
        target.update({ ...mark, parked });
      }),
    async loadPrinted(load, markOf) {
      const mark = await markOf();
      await write(() => {
        target.count('printed chunk');
        loadRows(target, { ...load, rows: [...readPrinted(load.printed), ...load.rows] });
        if (load.rows.length > 0) target.count('row taken out of a print');
        target.update(mark);
      });
    },
    evict: (table, rows, markOf) =>
      process.write(() => {
        const keys = holdersOf(target, table, rows);
        if (keys.length === 0) return [];
        target.count('row made room');
        target.transaction(() => {
          for (const key of keys) target.of(table).delete(comparedKey(table, key));
          target.update(markOf(keys));
        });
        return keys;
      }),
    fill: () => {
      throw new Error('The model has no table without key.');
    },
    apply: (batches, mark, settle) =>
      write(() => {
        const before = parkedRowsOf(target, batches);
        const met = batches.map((batch) => applyBatch(target, batch));
        const missing = met.flatMap((one) => one.missing);
        const refused = met.flatMap((one) => one.refused);
        const settled = settle({ missing, refused });
        if (settled.rereads?.length) target.count('read again');
        for (const one of settled.parked ?? []) countApply(target, batches, one);
        target.update({ ...mark, ...settled });
        expectParkedUntouched(target, before);
        if ((mark.slice ?? 0) > 0) target.count('slice');
      }),
    async keys(table, after, limit) {
      await process.dawdle();
      return await process.call(() =>
        [...target.of(table)]
          .filter(([key]) => isInside(table, key, after, null))
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .slice(0, limit)
          .map(([, row]) => keyOf(table, row)),
      );
    },
    parked: async () => [],
    write: (mark) => write(() => target.update(mark)),
    forget: async () => undefined,
    close: async () => undefined,
  };
}

function loadRows(target: ModelTarget, load: Load): Refused[] {
  const { table, absent } = load;
  deleteReplaced(target, load);
  for (const key of absent) target.of(table).delete(comparedKey(table, key));
  const parts = loadInParts(load, load.rows);
  let part = parts.next();
  while (!part.done) {
    const rows = part.value;
    part = parts.next(
      tryPart(target, table, () => {
        for (const row of rows) loadRow(target, load, row);
        return [];
      }),
    );
  }
  return part.value;
}

function loadRow(target: ModelTarget, { table, conflict }: Load, row: Row): void {
  const key = comparedKeyOf(table, row);
  if (conflict === 'replace' || !target.of(table).has(key)) put(target, table, key, row);
}

/** Undoes what a part did if one of its rows is refused. */
function tryPart(target: ModelTarget, table: Table, work: () => Missing[]): Missing[] | EngineError {
  const before = new Map(target.of(table));
  try {
    return work();
  } catch (error) {
    if (!isOfRow(error)) throw error;
    target.rows.set(table.id, before);
    return error;
  }
}

type UnderParked = { table: Table; parked: ParkedRow; row: Row | undefined }[];

/** What the target holds under the parked keys of a batch's tables. */
function parkedRowsOf(target: ModelTarget, batches: readonly TableBatch[]): UnderParked {
  return batches.flatMap(({ table }) =>
    (target.mark.parked.get(table.id) ?? []).map((parked) => ({ table, parked, row: rowUnder(target, table, parked) })),
  );
}

function rowUnder(target: ModelTarget, table: Table, { key }: ParkedRow): Row | undefined {
  return target.of(table).get(comparedKey(table, markedKey(key)));
}

/** A parked key absorbs its changes. */
function expectParkedUntouched(target: ModelTarget, before: UnderParked): void {
  for (const { table, parked, row } of before) {
    const isParked = target.mark.parked.get(table.id)?.includes(parked);
    if (isParked && rowUnder(target, table, parked) !== row)
      throw new Error(`A parked row of ${table.id} was changed.`);
  }
}

function countApply(target: ModelTarget, batches: readonly TableBatch[], { table, unpark, park }: ParkedUpdate): void {
  const batch = batches.find((one) => one.table.id === table);
  for (const { op } of park) target.count(op === 'move' ? 'key change parked' : 'row parked');
  if (unpark.length > 0) target.count(batch?.truncate ? 'unparked by a truncate' : 'unparked by a delete');
}

function countLoad(target: ModelTarget, { table }: Load, parked: readonly ParkedUpdate[]): void {
  for (const { unpark, park } of parked) {
    if (unpark.length > 0) target.count('parked row written by a retry');
    for (const { key } of park)
      target.count(target.parkedRow(table, markedKey(key)) ? 'parked row refused again' : 'row of a chunk parked');
  }
}

/** Deletes rows that a resync did not find in the source. */
function deleteReplaced(target: ModelTarget, load: Load): void {
  const { table, rows } = load;
  const replace = replacedPart(load);
  if (!replace) return;
  const keys = [...rows.map((row) => keyOf(table, row)), ...replace.keep].map((key) => comparedKey(table, key));
  const kept = new Set(keys);
  const { after, from, to } = replace.range;
  const start = after ?? from;
  const end = replace.upTo ?? (to && markedKey(to));
  const stored = target.of(table);
  for (const key of [...stored.keys()])
    if (isInside(table, key, start && markedKey(start), end) && !kept.has(key)) {
      target.count('row deleted by a resync');
      stored.delete(key);
    }
}

function isInside(table: Table, key: string, after: Key | null, upTo: Key | null): boolean {
  return (!after || key > comparedKey(table, after)) && (!upTo || key <= comparedKey(table, upTo));
}

function applyBatch(target: ModelTarget, batch: TableBatch): Met {
  const { table, truncate, inLogOrder } = batch;
  if (truncate) target.of(table).clear();
  const parts = applyInParts(batch);
  let part = parts.next();
  while (!part.done) {
    const some = part.value;
    if (some !== batch && some.actions === inLogOrder) target.count('again in log order');
    part = parts.next(tryPart(target, table, () => applyActions(target, table, inBestOrder(some))));
  }
  return part.value;
}

function applyActions(target: ModelTarget, table: Table, actions: readonly Action[]): Missing[] {
  const missing: Missing[] = [];
  for (const action of actions) {
    if (!applyAction(target, table, action) && action.kind !== 'delete')
      missing.push({ table, key: keyOf(table, action.row) });
  }
  return missing;
}

/** @returns false if the row did not exist */
function applyAction(target: ModelTarget, table: Table, action: Action): boolean {
  const stored = target.of(table);
  if (action.kind === 'delete') return stored.delete(comparedKey(table, action.key));
  const to = comparedKeyOf(table, action.row);
  if (action.kind === 'upsert') {
    put(target, table, to, action.row);
    return true;
  }
  const from = action.kind === 'move' ? comparedKey(table, action.from) : to;
  const old = stored.get(from);
  if (!old) return false;
  stored.delete(from);
  put(target, table, to, mergeRows(old, action.row));
  return true;
}

/** Keys of rows that hold the unique value of a row with another key. */
function holdersOf(target: ModelTarget, table: Table, rows: readonly Row[]): Key[] {
  const takers = rows.filter((row) => typeof row[3] === 'string');
  return [...target.of(table)].flatMap(([key, row]) => {
    const isTaken = takers.some((taker) => taker[3] === row[3] && comparedKeyOf(table, taker) !== key);
    return isTaken ? [keyOf(table, row)] : [];
  });
}

/** The unique index on `code` is checked before the row's own values. */
function put(target: ModelTarget, table: Table, key: string, row: Row): void {
  const stored = target.of(table);
  const code = row[3];
  if (target.isIndexed(table) && typeof code === 'string')
    for (const [other, { 3: held }] of stored)
      if (held === code && other !== key) throw new EngineError('UNIQUE_REFUSED', { table: tableName(table) });
  if (table.exactKey && target.rejects(row)) throw new EngineError('CONSTRAINT_REFUSED', { table: tableName(table) });
  stored.set(key, row);
}
