import type { Action, Missing, TableBatch } from '../batch.ts';
import { type Key, keyOf, type Row } from '../change.ts';
import { EngineError } from '../errors.ts';
import { mergeRows } from '../flow/route.ts';
import { type Mark, type MarkUpdate, markedKey } from '../mark.ts';
import { type Load, replacedPart, type Sink } from '../sink.ts';
import { type Table, tableName } from '../table.ts';
import { comparedKey, comparedKeyOf } from './model-tables.ts';
import type { Process } from './process.ts';

/** What the target holds; outlives every process. */
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
  };
  readonly count: (kind: string) => void;

  constructor(count: (kind: string) => void) {
    this.count = count;
  }

  of(table: Table): Map<string, Row> {
    const rows = this.rows.get(table.id) ?? new Map<string, Row>();
    this.rows.set(table.id, rows);
    return rows;
  }

  /** All or nothing, as a transaction is. */
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

  update({ epoch, tables, job: _job, ...changes }: MarkUpdate): void {
    if (epoch !== this.mark.epoch) {
      this.count('stale epoch refused');
      throw new EngineError('EPOCH_LOST', { side: 'target' });
    }
    this.mark = { ...this.mark, ...changes, tables: new Map([...this.mark.tables, ...(tables ?? [])]) };
  }
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
    catalog: async () => [],
    run: async () => undefined,
    takeOver: () =>
      process.call(() => {
        target.mark = { ...target.mark, epoch: target.mark.epoch + 1 };
        return target.mark;
      }),
    load: (load, mark) =>
      write(() => {
        loadRows(target, load);
        target.update(mark);
      }),
    fill: () => {
      throw new Error('The model has no table without key.');
    },
    apply: (batches, mark, rereadsOf) =>
      write(() => {
        const missing = batches.flatMap((batch) => applyBatch(target, batch));
        const rereads = rereadsOf(missing);
        if (rereads.length > 0) target.count('read again');
        target.update({ ...mark, rereads });
        if ((mark.slice ?? 0) > 0) target.count('slice');
      }),
    keys: (table, after, limit) =>
      process.call(() =>
        [...target.of(table)]
          .filter(([key]) => isInside(table, key, after, null))
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .slice(0, limit)
          .map(([, row]) => keyOf(table, row)),
      ),
    write: (mark) => write(() => target.update(mark)),
    forget: async () => undefined,
    close: async () => undefined,
  };
}

function loadRows(target: ModelTarget, load: Load): void {
  const { table, rows, absent, conflict } = load;
  const stored = target.of(table);
  deleteReplaced(target, load);
  for (const key of absent) stored.delete(comparedKey(table, key));
  for (const row of rows) {
    const key = comparedKeyOf(table, row);
    if (conflict === 'replace' || !stored.has(key)) stored.set(key, row);
  }
  refuseTaken(target, load);
}

/** The unique index of `code` is there once the table is live. */
function refuseTaken(target: ModelTarget, { table, rows }: Load): void {
  if (target.mark.tables.get(table.id)?.state !== 'live') return;
  const stored = [...target.of(table).values()].map((row) => row[3]);
  for (const { 3: code } of rows) {
    if (typeof code !== 'string' || stored.indexOf(code) === stored.lastIndexOf(code)) continue;
    target.count('unique value in the way of a row read again');
    throw new EngineError('UNIQUE_REFUSED', { table: tableName(table) });
  }
}

/** What a resync found no row for. */
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

function applyBatch(target: ModelTarget, { table, truncate, actions, inLogOrder }: TableBatch): Missing[] {
  if (truncate) target.of(table).clear();
  const before = new Map(target.of(table));
  try {
    return applyActions(target, table, sorted(actions, inLogOrder));
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'UNIQUE_REFUSED') throw error;
    target.count('again in log order');
    target.rows.set(table.id, before);
    return applyActions(target, table, inLogOrder);
  }
}

/** Deletes first, as every target does with a compacted batch. */
function sorted(actions: readonly Action[], inLogOrder: readonly Action[]): readonly Action[] {
  if (actions === inLogOrder) return actions;
  const order = { delete: 0, update: 1, upsert: 2, move: 3 };
  return actions.toSorted((one, other) => order[one.kind] - order[other.kind]);
}

function applyActions(target: ModelTarget, table: Table, actions: readonly Action[]): Missing[] {
  const missing: Missing[] = [];
  for (const action of actions) {
    if (!applyAction(target, table, action) && action.kind !== 'delete')
      missing.push({ table, key: keyOf(table, action.row) });
  }
  return missing;
}

/** @returns false when the row was not there */
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

/** The unique index of `code` is there once the table is live. */
function put(target: ModelTarget, table: Table, key: string, row: Row): void {
  const stored = target.of(table);
  const code = row[3];
  const isLive = target.mark.tables.get(table.id)?.state === 'live';
  if (isLive && typeof code === 'string')
    for (const [other, { 3: held }] of stored)
      if (held === code && other !== key) throw new EngineError('UNIQUE_REFUSED', { table: tableName(table) });
  stored.set(key, row);
}
