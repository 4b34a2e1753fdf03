import { type Change, type Key, keyOf, type Row, UNCHANGED } from '../change.ts';
import type { Position } from '../position.ts';
import type { Filters } from '../source.ts';
import type { Table } from '../table.ts';
import { meets } from './model-filter.ts';
import { comparedKey, comparedKeyOf, modelTables } from './model-tables.ts';
import type { Random } from './random.ts';

/** What a transaction left under a key; undefined means no row. */
interface Version {
  transaction: string;
  row: Row | undefined;
}

/** A user's transaction that is not committed yet. */
interface Open {
  id: string;
  locks: Set<string>;
  /** By table and compared key. */
  writes: Map<string, { table: Table; row: Row | undefined }>;
  truncated: Set<string>;
  changes: Change[];
  /** Remaining steps before it ends. */
  left: number;
}

/** A committed transaction, in log order. */
interface Logged {
  id: string;
  changes: readonly Change[];
}

/** What users see at one moment. */
export interface Snapshot {
  rows(table: Table): Row[];
  sees(transaction: string): boolean;
}

/**
 * A reference database with users who write to it. A commit is in the log before others see it, as under synchronous
 * replication; until then its locks are held. Only the order of calls and the seed decide what happens.
 */
export class Model {
  readonly #random: Random;
  readonly #versions = new Map<string, Version[]>();
  readonly log: Logged[] = [];
  readonly #visible = new Set<string>();
  #invisible: Open[] = [];
  #open: Open[] = [];
  #numbers: string[] = [];
  #values = 0;
  /** How many more steps happen before a commit becomes visible: the standby it waits for is away. */
  #stall = 0;
  readonly #count: (kind: string) => void;
  /** Filters of the job that reads the model; users do not know them, they are only counted. */
  readonly #filters: Filters;

  constructor(random: Random, count: (kind: string) => void, filters: Filters = new Map()) {
    this.#filters = filters;
    this.#random = random;
    this.#count = count;
  }

  /** The end of the log, including transactions that are not visible yet. */
  get end(): Position {
    return positionAt(this.log.length);
  }

  snapshot(): Snapshot {
    const visible = new Set(this.#visible);
    const sees = (transaction: string) => visible.has(transaction);
    return { sees, rows: (table) => this.#rowsOf(table, sees) };
  }

  /** Whether everything committed up to a position is visible. */
  isVisible({ resume }: Position): boolean {
    return this.log.slice(0, Number(resume)).every(({ id }) => this.#visible.has(id));
  }

  /** Whether a truncate holds a lock on the table, so readers wait. */
  isLocked(table: Table): boolean {
    return [...this.#open, ...this.#invisible].some(({ truncated }) => truncated.has(table.id));
  }

  /** No transaction is open or invisible: a snapshot and the log agree. */
  get isAtRest(): boolean {
    return this.#open.length === 0 && this.#invisible.length === 0;
  }

  /** Commits stay invisible for this many steps. */
  stall(steps: number): void {
    this.#stall = steps;
  }

  /** Whether the log has commits that stay invisible for a while. */
  get isStalled(): boolean {
    return this.#stall > 0 && this.#invisible.length > 0;
  }

  /** One action of some user. */
  step(): void {
    const isStalled = this.#passStall();
    const done = this.#random.below(10);
    if (done < 2 && this.#invisible.length > 0 && !isStalled) {
      this.#show();
      return;
    }
    if (done < 4 || this.#open.length === 0) {
      this.#begin();
      return;
    }
    const open = this.#random.pick(this.#open);
    if (open.left-- <= 0) {
      this.#end(open);
      return;
    }
    this.#write(open);
  }

  /** Users finish what they have begun. */
  finish(): void {
    const isStalled = this.#passStall();
    const [open] = this.#open;
    if (open) this.#end(open);
    else if (this.#invisible.length > 0 && !isStalled) this.#show();
  }

  #passStall(): boolean {
    if (this.#stall === 0) return false;
    this.#stall--;
    return true;
  }

  #begin(): void {
    if (this.#open.length >= 4) return;
    const left = this.#random.chance(0.05) ? 40 : this.#random.below(5);
    if (left >= 40) this.#count('large transaction');
    if (this.#open.some((other) => other.left > 5)) this.#count('transaction beside a long one');
    this.#open.push({
      id: this.#number(),
      locks: new Set(),
      writes: new Map(),
      truncated: new Set(),
      changes: [],
      left,
    });
  }

  /** IDs are assigned at the beginning, so commits come in another order. */
  #number(): string {
    if (this.#numbers.length === 0) {
      const first = this.#values + 4_294_967_290;
      this.#numbers = Array.from({ length: 8 }, (_, index) => String(first + index));
      this.#values += 8;
    }
    return this.#numbers.splice(this.#random.below(this.#numbers.length), 1)[0] ?? '0';
  }

  #end(open: Open): void {
    this.#open = this.#open.filter((other) => other !== open);
    if (this.#random.chance(0.1)) {
      this.#count('rollback');
      return;
    }
    if (open.changes.length === 0) return;
    this.log.push({ id: open.id, changes: open.changes });
    this.#invisible.push(open);
    if (this.#stall === 0 && this.#random.chance(0.6)) this.#show(open);
    else this.#count('decoded before visible');
  }

  #show(open: Open = this.#random.pick(this.#invisible)): void {
    this.#invisible = this.#invisible.filter((other) => other !== open);
    this.#visible.add(open.id);
    for (const table of open.truncated)
      for (const [place, versions] of this.#versions)
        if (place.startsWith(`${table}/`)) versions.push({ transaction: open.id, row: undefined });
    for (const [place, { row }] of open.writes) {
      const versions = this.#versions.get(place) ?? [];
      this.#versions.set(place, versions);
      versions.push({ transaction: open.id, row });
    }
  }

  #rowsOf(table: Table, sees: (transaction: string) => boolean): Row[] {
    const rows: Row[] = [];
    for (const [place, versions] of this.#versions) {
      if (!place.startsWith(`${table.id}/`)) continue;
      const row = versions.findLast(({ transaction }) => sees(transaction))?.row;
      if (row) rows.push(row);
    }
    return rows;
  }

  /** The rows as the transaction itself sees them. */
  #rowsIn(open: Open, table: Table): Row[] {
    const own = new Map<string, Row | undefined>();
    if (!open.truncated.has(table.id))
      for (const row of this.#rowsOf(table, (transaction) => this.#visible.has(transaction)))
        own.set(comparedKeyOf(table, row), row);
    for (const [place, { table: written, row }] of open.writes)
      if (written === table) own.set(place.slice(table.id.length + 1), row);
    return [...own.values()].filter((row) => row !== undefined);
  }

  #write(open: Open): void {
    const table = this.#random.pick(modelTables);
    if (this.#isLockedFor(open, table)) return;
    const rows = this.#rowsIn(open, table);
    const kind = this.#random.below(20);
    if (kind === 0) {
      this.#truncate(open, table);
      return;
    }
    const row = rows.length > 0 ? this.#random.pick(rows) : undefined;
    if (!row || kind < 7) {
      this.#insert(open, table);
      return;
    }
    if (kind < 11) {
      this.#update(open, table, row);
      return;
    }
    if (kind < 13) {
      this.#delete(open, table, row);
      return;
    }
    if (kind < 16) {
      this.#move(open, table, row);
      return;
    }
    if (kind < 18) {
      this.#handOver(open, table, this.#holder(rows) ?? row, this.#random.pick(rows));
      return;
    }
    this.#replace(open, table, row);
  }

  #isLockedFor(open: Open, table: Table): boolean {
    return this.#others(open).some(({ truncated }) => truncated.has(table.id));
  }

  #others(open: Open): Open[] {
    return [...this.#open, ...this.#invisible].filter((other) => other !== open);
  }

  /** @returns false if another transaction holds one of them */
  #lock(open: Open, ...names: string[]): boolean {
    if (this.#others(open).some(({ locks }) => names.some((name) => locks.has(name)))) return false;
    for (const name of names) open.locks.add(name);
    return true;
  }

  #truncate(open: Open, table: Table): void {
    const isBusy = this.#others(open).some(({ locks }) => [...locks].some((lock) => lock.startsWith(`${table.id}/`)));
    if (isBusy) return;
    this.#count('truncate');
    open.truncated.add(table.id);
    for (const [place, { table: written }] of open.writes) if (written === table) open.writes.delete(place);
    open.changes.push({ kind: 'truncate', tables: [table] });
  }

  #insert(open: Open, table: Table): void {
    const key = this.#freshKey(open, table);
    if (!key) return;
    const row = this.#row(table, key, null);
    if (!this.#lock(open, lockOf(table, key))) return;
    this.#store(open, table, row, { op: 'insert', before: null, after: row });
  }

  #update(open: Open, table: Table, row: Row): void {
    if (!this.#lock(open, lockOf(table, keyOf(table, row)))) return;
    const isPartial = this.#random.chance(0.6);
    this.#count(isPartial ? 'partial update' : 'whole update');
    const after = this.#with(table, row, isPartial ? ['a'] : ['a', 'big']);
    this.#store(open, table, after, { op: 'update', before: null, after: isPartial ? untold(table, after) : after });
  }

  #delete(open: Open, table: Table, row: Row): void {
    const code = row[3];
    const locks = [lockOf(table, keyOf(table, row)), ...(typeof code === 'string' ? [`${table.id}/code ${code}`] : [])];
    if (!this.#lock(open, ...locks)) return;
    this.#count('delete');
    open.writes.set(placeOf(table, keyOf(table, row)), { table, row: undefined });
    open.changes.push({ kind: 'row', op: 'delete', table, before: onlyKey(table, row), after: null });
  }

  #move(open: Open, table: Table, row: Row): void {
    const from = keyOf(table, row);
    const isSame = !table.exactKey && this.#random.chance(0.3);
    const to = isSame ? [swapCase(String(from[0]))] : this.#freshKey(open, table);
    if (!to || !this.#lock(open, lockOf(table, from), lockOf(table, to))) return;
    const isPartial = this.#random.chance(0.6);
    this.#count(isPartial ? 'key change with untold cells' : 'key change');
    const after = this.#with(table, withKey(table, row, to), isPartial ? [] : ['big']);
    if (!isSame) open.writes.set(placeOf(table, from), { table, row: undefined });
    const told = isPartial ? untold(table, after) : after;
    this.#store(open, table, after, { op: 'update', before: onlyKey(table, row), after: told });
  }

  /** Usually a row with a unique value. */
  #holder(rows: readonly Row[]): Row | undefined {
    const holders = rows.filter((row) => row[3] !== null);
    return holders.length > 0 && this.#random.chance(0.8) ? this.#random.pick(holders) : undefined;
  }

  /** One row hands its unique value to another. */
  #handOver(open: Open, table: Table, giver: Row, taker: Row): void {
    const places = [giver, taker].map((row) => lockOf(table, keyOf(table, row)));
    if (giver === taker || !this.#lock(open, ...places)) return;
    const held = giver[3];
    const code = typeof held === 'string' ? held : `c${this.#values++}`;
    const freed = taker[3];
    const codes = [code, ...(typeof freed === 'string' ? [freed] : [])].map((value) => `${table.id}/code ${value}`);
    if (!this.#lock(open, ...codes)) return;
    if (typeof held === 'string') {
      this.#count('unique value handed over');
      const without = withCell(giver, 3, null);
      this.#store(open, table, without, { op: 'update', before: null, after: untold(table, without) });
    }
    const having = withCell(taker, 3, code);
    this.#store(open, table, having, { op: 'update', before: null, after: untold(table, having) });
  }

  /** Delete and insert with one key. */
  #replace(open: Open, table: Table, row: Row): void {
    const key = keyOf(table, row);
    if (row[3] !== null || !this.#lock(open, lockOf(table, key))) return;
    this.#count('delete and insert');
    open.changes.push({ kind: 'row', op: 'delete', table, before: onlyKey(table, row), after: null });
    const after = this.#row(table, key, null);
    this.#store(open, table, after, { op: 'insert', before: null, after });
  }

  #store(
    open: Open,
    table: Table,
    row: Row,
    change: { op: 'insert' | 'update'; before: Row | null; after: Row },
  ): void {
    this.#countFilter(open, table, row, change);
    open.writes.set(placeOf(table, keyOf(table, row)), { table, row });
    open.changes.push({ kind: 'row', table, ...change });
  }

  /** What the change means for a job with a filter. @param before the old key, if it changes */
  #countFilter(open: Open, table: Table, row: Row, { before, after }: { before: Row | null; after: Row }): void {
    const filter = this.#filters.get(table.id);
    if (filter === undefined) return;
    const key = comparedKeyOf(table, before ?? row);
    const old = this.#rowsIn(open, table).find((one) => comparedKeyOf(table, one) === key);
    const [was, is] = [old !== undefined && meets(table, filter, old), meets(table, filter, row)];
    if (!was && !is) this.#count('row stays outside of the filter');
    if (was && !is) this.#count('row leaves the filter');
    if (!was && is) this.#count(after.includes(UNCHANGED) ? 'row enters the filter in part' : 'row enters the filter');
    if (meets(table, filter, after) === null) this.#count('filter on an untold cell');
  }

  #freshKey(open: Open, table: Table): Key | undefined {
    const number = () => `${this.#random.chance(0.5) ? 'k' : 'K'}${this.#random.below(24)}`;
    const key = table.key.map(() => number().toLowerCase());
    const spelled = table.exactKey ? key : [number()];
    const taken = this.#rowsIn(open, table).some((row) => comparedKeyOf(table, row) === comparedKey(table, spelled));
    return taken ? undefined : spelled;
  }

  #row(table: Table, key: Key, code: string | null): Row {
    const empty = table.columns.map(() => null);
    return withCell(this.#with(table, withKey(table, empty, key), ['a', 'big']), 3, code);
  }

  /** The row with new values in some columns. */
  #with(table: Table, row: Row, names: readonly string[]): Row {
    return row.map((cell, place) => {
      const name = table.columns[place]?.name;
      return name && names.includes(name) ? `${name}${this.#values++}` : cell;
    });
  }
}

export function positionAt(index: number): Position {
  return { order: String(index).padStart(8, '0'), resume: String(index) };
}

function placeOf(table: Table, key: Key): string {
  return `${table.id}/${comparedKey(table, key)}`;
}

function lockOf(table: Table, key: Key): string {
  return placeOf(table, key);
}

/** The row as the log has it when the large column did not change. */
function untold(table: Table, row: Row): Row {
  return row.map((cell, place) => (table.columns[place]?.name === 'big' ? UNCHANGED : cell));
}

function onlyKey(table: Table, row: Row): Row {
  return row.map((cell, place) => (table.key.includes(place) ? cell : UNCHANGED));
}

function withKey(table: Table, row: Row, key: Key): Row {
  return row.map((cell, place) => key[table.key.indexOf(place)] ?? cell);
}

function withCell(row: Row, column: number, value: string | null): Row {
  return row.map((cell, place) => (place === column ? value : cell));
}

function swapCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}
