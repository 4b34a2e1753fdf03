import type { Parks } from '../batch.ts';
import { type Key, keyText } from '../change.ts';
import type { EngineError } from '../errors.ts';
import type { Facts } from '../facts.ts';
import { type Route, routeVersion } from '../flow/route.ts';
import type { JobSpec, TableSelection } from '../job.ts';
import type { ParkedRow, TableMark } from '../mark.ts';
import { hasReached, type Position } from '../position.ts';
import { knownOfShape, shapeOf } from '../schema/shape.ts';
import type { Table } from '../table.ts';
import type { CommandEnds } from './command-ends.ts';
import { type ParkedRows, parkedRows } from './parked-rows.ts';
import { Touched } from './touched.ts';

const nothingKnown = { facts: null, untold: new Set<string>(), more: new Set<string>(), sharesKeys: false };

/** How many truncates of a table are remembered: fewer come between two checks of the catalogue. */
const keptTruncates = 1_000;

/** One table of a running job. */
export class TableProgress {
  readonly id: string;
  route: Route;
  touched: Touched;
  #mark: TableMark;
  /** Counts the copies of this table: a chunk read for an earlier copy is discarded. */
  generation = 0;
  fault: EngineError | undefined;
  #facts: Facts | null;
  #untold: ReadonlySet<string>;
  #more: ReadonlySet<string>;
  #sharesKeys: boolean;
  #askers: CommandEnds[] = [];
  /** The job is complete, so target rows may not be the job's own: none of them makes room. */
  isFinished = false;
  /** Its log may be older than its copy: until the catalogue's entry is known, and the log has reached it, none begins. */
  waitsForLog = false;
  /** Transactions that truncated the table, as the stream delivered them; only the latest. */
  readonly truncates = new Set<string>();
  /** Rows that the target refused, as committed there. */
  parked: ParkedRows;
  /** Rows that an earlier process reread are not known by their keys. */
  readonly #aheadAtStart: Position | null;
  readonly #readAgain = new Map<string, Position>();
  readonly #versions = new WeakMap<Table, Route>();

  /** Existing target rows stay, whatever they hold. */
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

  /** Names of carried columns that some rows came without: the columns had another name, or did not exist yet. */
  get untold(): ReadonlySet<string> {
    return this.#untold;
  }

  /** Rows of this route are applied. @returns whether the mark must record what they lack */
  noteUntold({ untold = [] }: Route): boolean {
    if (untold.every((name) => this.#untold.has(name))) return false;
    this.#untold = new Set([...this.#untold, ...untold]);
    this.#noteShape();
    return true;
  }

  /** The current state of these columns was checked after their rows. */
  forgetUntold(names: ReadonlySet<string> = this.#untold): void {
    this.#untold = new Set([...this.#untold].filter((name) => !names.has(name)));
    this.#noteShape();
  }

  /** Names of columns that rows came with before they are carried: such rows must be reread. */
  get more(): ReadonlySet<string> {
    return this.#more;
  }

  /** Rows of this route are applied. @returns whether the mark must record their additional columns */
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

  /** Whether, since the table was copied, a row was changed that was not identified by the key. */
  get sharesKeys(): boolean {
    return this.#sharesKeys;
  }

  /** Such a row is applied. @returns whether the mark must record it */
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

  /** The next mark to be written records it. */
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
    // What was noted of its rows while it was written stays.
    this.#mark = { ...mark, shape: this.shape };
    if (mark.state !== 'waiting' && mark.state !== 'copying') this.touched.clear();
  }

  /** The route of rows of one version of the source table. */
  routeOf(version: Table): Route {
    if (version === this.route.source) return this.route;
    const known = this.#versions.get(version);
    if (known?.target === this.route.target) return known;
    const route = routeVersion(this.route, version);
    this.#versions.set(version, route);
    return route;
  }

  /** A row was read when the log ended here: the table is live after this position at the earliest. */
  notLiveBefore(end: Position): void {
    if (this.isSkipped || this.#mark.state === 'live') return;
    this.#mark = { ...this.#mark, liveAfter: laterOf(this.#mark.liveAfter, end) };
  }

  /** Whether chunks are still to come, so that applied changes must be remembered. */
  get isCopied(): boolean {
    return this.#mark.state === 'waiting' || this.#mark.state === 'copying';
  }

  /**
   * Whether changes are dropped until its copy begins, which has them: older ones would undo in it what the log omits.
   */
  get isHeld(): boolean {
    return this.waitsForLog && this.#facts === null && this.isCopied && !hasRows(this.#mark);
  }

  /** Whether an operator wants a table back that the catalogue keeps from being carried: it is checked again first. */
  get isAsked(): boolean {
    return this.#askers.length > 0;
  }

  /** @param askers notified once the table was resumed, or cannot be */
  ask(...askers: readonly CommandEnds[]): void {
    this.#askers.push(...askers);
  }

  /** Withdraws the requests: the caller resumes the table and notifies the askers, or asks again. */
  takeAskers(): readonly CommandEnds[] {
    return this.#askers.splice(0);
  }

  /** Whether changes are dropped. */
  get isSkipped(): boolean {
    return this.#mark.state === 'paused' || this.#mark.state === 'blocked' || this.#mark.state === 'removed';
  }

  /** Whether target rows may not be the job's own; such rows make room for none. */
  get holdsOthers(): boolean {
    const { resync, wasEmpty } = this.#mark;
    return this.isFinished || (this.#keepsRows && !wasEmpty && !resync);
  }

  /** Whether target rows may be of another moment than incoming rows, and hold unique values that are free by then. */
  get mayMakeRoom(): boolean {
    const { state } = this.#mark;
    if (this.holdsOthers) return false;
    return state !== 'live' || this.route.selection.filter !== null;
  }

  /** Which refused rows are parked: none if equal keys may differ in text: their later changes would be unknown. */
  get parks(): { parks?: Parks } {
    if (!this.route.target.exactKey) return {};
    return { parks: this.mayMakeRoom ? 'values' : 'everything' };
  }

  /** Whether the target may have a row under a key that is newer than what the stream delivers after `position`. */
  isAheadOf(position: Position | null, key: Key): boolean {
    if (this.#mark.state !== 'live') return true;
    if (!this.isReadAhead(position)) return false;
    if (!this.route.target.exactKey) return true;
    const until = this.#readAgain.get(keyText(key)) ?? this.#aheadAtStart;
    return until !== null && !hasReached(position, until);
  }

  /** Whether rows were reread that may be newer than what the stream delivers after `position`. */
  isReadAhead(position: Position | null): boolean {
    const { aheadUntil } = this.#mark;
    return aheadUntil !== null && !hasReached(position, aheadUntil);
  }

  /** These rows are now as the source had them when its log ended at `until`; the stream has reached `position`. */
  noteReadAgain(keys: readonly Key[], until: Position, position: Position | null): void {
    for (const [key, before] of this.#readAgain) {
      if (!hasReached(position, before)) break;
      this.#readAgain.delete(key);
    }
    for (const key of keys.map(keyText)) {
      // Moved to the end: the oldest come first.
      this.#readAgain.delete(key);
      this.#readAgain.set(key, until);
    }
  }

  /** The mark once the stream has passed `position`, or undefined if that changes nothing. */
  whenPassed(position: Position): TableMark | undefined {
    const { state, liveAfter } = this.#mark;
    if (state !== 'catching-up' || (liveAfter && !hasReached(position, liveAfter))) return undefined;
    return { ...this.#mark, state: 'live', resync: false };
  }

  /** The mark when changes up to `position` are dropped, or undefined if that is recorded already. */
  whenSkipped(position: Position): TableMark | undefined {
    return this.#mark.skippedFrom ? undefined : { ...this.#mark, skippedFrom: position };
  }
}

export function laterOf(position: Position | null, other: Position): Position {
  return position && hasReached(position, other) ? position : other;
}

/** A table of which nothing is known yet. */
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

/** A table that is copied from its first row again; rows that the source lacks are deleted. */
export function resyncMark(): TableMark {
  return { ...untouchedMark, resync: true, wasEmpty: true };
}

/**
 * The mark of a table that has none. However late it first takes part in a replay, its copy is a resync: the target has
 * rows of the run before, which may be old or gone from the source.
 */
export function unknownMark({ replays }: JobSpec, { isLater }: TableSelection): TableMark {
  return replays && !isLater ? resyncMark() : untouchedMark;
}

/** The mark of a table that a replay never carried, since another job writes into its target. */
export const takenMark: TableMark = { ...untouchedMark, state: 'blocked', code: 'TARGET_TAKEN' };

/** Whether a mark is `takenMark`: a table that was carried before drops its changes from somewhere on. */
export function isTaken({ code, shape, skippedFrom }: TableMark): boolean {
  return code === 'TARGET_TAKEN' && shape === null && skippedFrom === null;
}

/** A copy that continues after the last chunk that the target has, as if it had not been interrupted. */
export function continuedCopy(mark: TableMark): TableMark {
  return { ...mark, state: mark.ranges.length > 0 ? 'copying' : 'waiting', code: null };
}

/** Whether the target got rows of a table; a copy without key stores no count. */
export function hasRows({ state, rows, ranges }: TableMark): boolean {
  const isCopied = state === 'catching-up' || state === 'live';
  return isCopied || rows > 0 || ranges.some(({ after, done }) => done || after !== null);
}

/**
 * The same table from its first row again. Rows that the target already got may be old by then, or gone from the
 * source: they are deleted if all rows of the target are the job's.
 */
export function afresh(mark: TableMark): TableMark {
  const { wasEmpty, shape } = mark;
  return { ...untouchedMark, resync: mark.resync || (wasEmpty && hasRows(mark)), wasEmpty, shape };
}

/** Begins the chunks of this process: the keys of earlier changes are unknown, so each chunk must see them all. */
export function startCopy({ unseen }: { unseen: ReadonlySet<string> }, table: TableProgress): void {
  table.touched.clear();
  if (!table.isCopied) return;
  for (const transaction of unseen) table.touched.mustSee(transaction);
}
