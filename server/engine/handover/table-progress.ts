import type { Parks } from '../batch.ts';
import { type Key, keyText } from '../change.ts';
import type { EngineError } from '../errors.ts';
import type { Facts } from '../facts.ts';
import { type Route, routeVersion } from '../flow/route.ts';
import type { ParkedRow, TableMark } from '../mark.ts';
import { hasReached, type Position } from '../position.ts';
import { knownOfShape, shapeOf } from '../schema/shape.ts';
import type { Table } from '../table.ts';
import type { OrderEnds } from './order-ends.ts';
import { type ParkedRows, parkedRows } from './parked.ts';
import { Touched } from './touched.ts';

const nothingKnown = { facts: null, untold: new Set<string>(), more: new Set<string>(), sharesKeys: false };

/** Told truncates of a table that are remembered: the catalogue is compared more often than so many come. */
const keptTruncates = 1_000;

/** One table of a running job. */
export class TableProgress {
  readonly id: string;
  route: Route;
  touched: Touched;
  #mark: TableMark;
  /** Counts the copies of this table: a chunk that was read for an earlier one is thrown away. */
  generation = 0;
  fault: EngineError | undefined;
  #facts: Facts | null;
  #untold: ReadonlySet<string>;
  #more: ReadonlySet<string>;
  #sharesKeys: boolean;
  #askers: OrderEnds[] = [];
  /** The job is complete, so that rows of the target may be somebody else's: none of them makes room. */
  isFinished = false;
  /** Transactions that truncated the table, as the stream told them; the last few. */
  readonly truncates = new Set<string>();
  /** What the target refused and has committed as such. */
  parked: ParkedRows;
  /** Rows that an earlier process read again are not known by their keys. */
  readonly #aheadAtStart: Position | null;
  readonly #readAgain = new Map<string, Position>();
  readonly #versions = new WeakMap<Table, Route>();

  /** Rows of the target that were there before the job stay, whatever they hold. */
  readonly #keepsRows: boolean;

  constructor(route: Route, mark: TableMark, parked?: readonly ParkedRow[], keepsRows = false) {
    this.#keepsRows = keepsRows;
    this.id = route.source.id;
    this.route = route;
    const known = mark.shape === null ? nothingKnown : knownOfShape(mark.shape);
    this.#facts = known.facts;
    this.#untold = known.untold;
    this.#more = known.more;
    this.#sharesKeys = known.sharesKeys;
    this.#mark = { ...mark, shape: this.shape, target: route.target.id };
    this.#aheadAtStart = mark.aheadUntil;
    this.touched = new Touched(route.target);
    this.parked = parkedRows(parked);
  }

  /** As the mark stores it. */
  get shape(): string {
    return shapeOf(this);
  }

  /** What the catalogue said of the table when it was last in order; null before it was asked. */
  get facts(): Facts | null {
    return this.#facts;
  }

  set facts(facts: Facts) {
    this.#facts = facts;
    this.#noteShape();
  }

  /** Names of carried columns that rows were told without: they had another name, or were not there yet. */
  get untold(): ReadonlySet<string> {
    return this.#untold;
  }

  /** Rows of this route are applied. @returns whether the mark has to tell by them what they lack */
  noteUntold({ untold = [] }: Route): boolean {
    if (untold.every((name) => this.#untold.has(name))) return false;
    this.#untold = new Set([...this.#untold, ...untold]);
    this.#noteShape();
    return true;
  }

  /** What these columns have become was looked at after their rows. */
  forgetUntold(names: ReadonlySet<string> = this.#untold): void {
    this.#untold = new Set([...this.#untold].filter((name) => !names.has(name)));
    this.#noteShape();
  }

  /** Names of columns that rows were told with before they are carried: such rows are to be read again. */
  get more(): ReadonlySet<string> {
    return this.#more;
  }

  /** Rows of this route are applied. @returns whether the mark has to tell by them what they have besides */
  noteMore({ more = [] }: Route): boolean {
    if (more.every((name) => this.#more.has(name))) return false;
    this.#more = new Set([...this.#more, ...more]);
    this.#noteShape();
    return true;
  }

  /** These columns are carried now, or were gone after their rows. */
  forgetMore(names: ReadonlySet<string>): void {
    this.#more = new Set([...this.#more].filter((name) => !names.has(name)));
    this.#noteShape();
  }

  /** Whether a row was changed that was identified otherwise than by the key, since the table was copied. */
  get sharesKeys(): boolean {
    return this.#sharesKeys;
  }

  /** Such a row is applied. @returns whether the mark has to tell it */
  noteSharedKeys(): boolean {
    if (this.#sharesKeys) return false;
    this.#sharesKeys = true;
    this.#noteShape();
    return true;
  }

  /** The table is copied again. */
  forgetSharedKeys(): void {
    this.#sharesKeys = false;
    this.#noteShape();
  }

  /** The next mark that is written tells it. */
  #noteShape(): void {
    this.#mark = { ...this.#mark, shape: this.shape };
  }

  noteTruncate(transaction: string): void {
    this.truncates.add(transaction);
    const [oldest] = this.truncates;
    if (this.truncates.size > keptTruncates && oldest !== undefined) this.truncates.delete(oldest);
  }

  get mark(): TableMark {
    return this.#mark;
  }

  /** What the target has committed. */
  set mark(mark: TableMark) {
    this.#mark = mark;
    if (mark.state !== 'waiting' && mark.state !== 'copying') this.touched.clear();
  }

  /** The way of rows of one version of the source's table. */
  routeOf(version: Table): Route {
    if (version === this.route.source) return this.route;
    const known = this.#versions.get(version);
    if (known?.target === this.route.target) return known;
    const route = routeVersion(this.route, version);
    this.#versions.set(version, route);
    return route;
  }

  /** A row was read when the log ended here: the table is live after it at the earliest. */
  notLiveBefore(end: Position): void {
    if (this.isSkipped || this.#mark.state === 'live') return;
    this.#mark = { ...this.#mark, liveAfter: laterOf(this.#mark.liveAfter, end) };
  }

  /** Whether chunks are still to come, so that applied changes have to be remembered. */
  get isCopied(): boolean {
    return this.#mark.state === 'waiting' || this.#mark.state === 'copying';
  }

  /** Whether somebody wants the table back that the catalogue keeps from being carried: it is looked at again first. */
  get isAsked(): boolean {
    return this.#askers.length > 0;
  }

  /** @param askers told once the table was taken back, or cannot be */
  ask(...askers: readonly OrderEnds[]): void {
    this.#askers.push(...askers);
  }

  /** Nobody asks any more: whoever takes this takes the table back and tells them, or asks again. */
  takeAskers(): readonly OrderEnds[] {
    return this.#askers.splice(0);
  }

  /** Whether changes are dropped. */
  get isSkipped(): boolean {
    return this.#mark.state === 'paused' || this.#mark.state === 'blocked' || this.#mark.state === 'removed';
  }

  /** Whether rows at the target may be somebody else's, which make room for nobody. */
  get holdsOthers(): boolean {
    const { resync, wasEmpty } = this.#mark;
    return this.isFinished || (this.#keepsRows && !wasEmpty && !resync);
  }

  /** Whether rows at the target may be of another moment than those that come, and hold unique values that are free by then. */
  get mayMakeRoom(): boolean {
    const { state } = this.#mark;
    if (this.holdsOthers) return false;
    return state !== 'live' || this.route.selection.filter !== null;
  }

  /** Which refused rows are parked: none where equal keys may have different texts, since nobody could tell which later changes are theirs. */
  get parks(): { parks?: Parks } {
    if (!this.route.target.exactKey) return {};
    return { parks: this.mayMakeRoom ? 'values' : 'everything' };
  }

  /** Whether the target may have a row under a key that is newer than what the stream tells after `position`. */
  isAheadOf(position: Position | null, key: Key): boolean {
    if (this.#mark.state !== 'live') return true;
    if (!this.isReadAhead(position)) return false;
    if (!this.route.target.exactKey) return true;
    const until = this.#readAgain.get(keyText(key)) ?? this.#aheadAtStart;
    return until !== null && !hasReached(position, until);
  }

  /** Whether rows were read again that may be newer than what the stream tells after `position`. */
  isReadAhead(position: Position | null): boolean {
    const { aheadUntil } = this.#mark;
    return aheadUntil !== null && !hasReached(position, aheadUntil);
  }

  /** These rows are now as the source had them when its log ended at `until`; the stream has come to `position`. */
  noteReadAgain(keys: readonly Key[], until: Position, position: Position | null): void {
    for (const [key, before] of this.#readAgain) {
      if (!hasReached(position, before)) break;
      this.#readAgain.delete(key);
    }
    for (const key of keys.map(keyText)) {
      // At the end again: the oldest come first.
      this.#readAgain.delete(key);
      this.#readAgain.set(key, until);
    }
  }

  /** The mark once the stream has passed `position`, or undefined when nothing changes by that. */
  whenPassed(position: Position): TableMark | undefined {
    const { state, liveAfter } = this.#mark;
    if (state !== 'catching-up' || (liveAfter && !hasReached(position, liveAfter))) return undefined;
    return { ...this.#mark, state: 'live', resync: false };
  }

  /** The mark when changes up to `position` are dropped, or undefined when that is written down already. */
  whenSkipped(position: Position): TableMark | undefined {
    return this.#mark.skippedFrom ? undefined : { ...this.#mark, skippedFrom: position };
  }
}

export function laterOf(position: Position | null, other: Position): Position {
  return position && hasReached(position, other) ? position : other;
}

/** A table that nothing is known of yet. */
export const untouchedMark: TableMark = {
  state: 'waiting',
  ranges: [],
  rows: 0,
  liveAfter: null,
  skippedFrom: null,
  aheadUntil: null,
  resync: false,
  code: null,
  shape: null,
  target: null,
  files: null,
  wasEmpty: false,
};

/** A table that is copied from its first row again; rows that the source lacks by then are deleted. */
export function resyncMark(): TableMark {
  return { ...untouchedMark, resync: true, wasEmpty: true };
}

/** Whether the target got rows of a table; a copy without key stores no count. */
export function hasRows({ state, rows, ranges }: TableMark): boolean {
  const isCopied = state === 'catching-up' || state === 'live';
  return isCopied || rows > 0 || ranges.some(({ after, done }) => done || after !== null);
}

/**
 * The same table from its first row again. Rows that the target got before may be old by then, or gone from the source:
 * they are deleted where all rows of the target are the job's.
 */
export function afresh(mark: TableMark): TableMark {
  const { wasEmpty, shape } = mark;
  return { ...untouchedMark, resync: mark.resync || (wasEmpty && hasRows(mark)), wasEmpty, shape };
}

/** Before the first chunk of this process: the keys of what was applied earlier are not known, so every chunk must see it. */
export function startCopy({ unseen }: { unseen: ReadonlySet<string> }, table: TableProgress): void {
  table.touched.clear();
  if (!table.isCopied) return;
  for (const transaction of unseen) table.touched.mustSee(transaction);
}
