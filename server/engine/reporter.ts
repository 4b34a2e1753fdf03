import type { EngineError } from './errors.ts';
import { faultOf } from './fault.ts';
import type { Observer } from './flow/observer.ts';
import type { Route } from './flow/route.ts';
import type { TableProgress } from './handover/table-progress.ts';
import { byName, type Report, type Sample, type TableReport } from './protocol.ts';
import type { RefusedTable } from './selected-tables.ts';
import { tableName } from './table.ts';

type Counters = Pick<
  Sample,
  'copied' | 'applied' | 'transactions' | 'bytes' | 'waitedForSourceMs' | 'waitedForTargetMs'
>;

/** Within this time, an idle source reports that its log has nothing more for the job, in milliseconds. */
const usualMs = 5_000;
/** Log that the source keeps for a job before a warning is raised, in bytes. */
const retainedWarning = 1e9;
const retainedSentence =
  'The source retains more than 1 GB of its log for this job. Its disk fills up unless the job makes progress: see what it waits for.';

const nothing: Counters = {
  copied: 0,
  applied: 0,
  transactions: 0,
  bytes: 0,
  waitedForSourceMs: 0,
  waitedForTargetMs: 0,
};

/** The report fields of a table that cannot take part. */
const leftOut = { rows: 0, estimate: 0, skipped: true, parked: 0 };

type Phase = Extract<Report, { kind: 'phase' }>['phase'];

/** Collects what a job does and reports to the supervisor once a second. */
export class Reporter implements Observer {
  readonly #send: (report: Report) => void;
  readonly #estimates: ReadonlyMap<string, number>;
  readonly #isCopyOnly: boolean;
  readonly #changed = new Set<TableProgress>();
  /** Names of tables already reported. */
  readonly #found = new Set<string>();
  readonly #states = new Map<string, TableReport['state']>();
  #counters = { ...nothing };
  #usage = { FULL: 0, INCREMENT: 0 };
  #usageNumber = 0;
  #lagMs: number | null = null;
  #toldAt = Date.now();
  #pendingSince: number | null = null;
  #behindSince: number | null = null;
  #retainedBytes: number | null = null;
  #logRoomBytes: number | null = null;
  #hasWarned = false;
  #phase: Phase | undefined;

  constructor(send: (report: Report) => void, estimates: ReadonlyMap<string, number>, isCopyOnly: boolean) {
    this.#send = send;
    this.#estimates = estimates;
    this.#isCopyOnly = isCopyOnly;
  }

  copied(_table: TableProgress, rows: number): void {
    this.#counters.copied += rows;
    this.#usage.FULL += rows;
  }

  applied(rows: number, transactions: number, bytes: number, committedAt: number | null): void {
    this.#counters.applied += rows;
    this.#counters.transactions += transactions;
    this.#counters.bytes += bytes;
    this.#usage.INCREMENT += rows;
    if (committedAt !== null) this.#lagMs = Math.max(this.#lagMs ?? 0, Date.now() - committedAt);
  }

  pending(committedAt: number | null): void {
    this.#pendingSince = committedAt;
  }

  /** @param since by performance.now(): from when the source had log that the job has not reached; null at its end */
  behind(since: number | null): void {
    this.#behindSince = since;
  }

  idle(): void {
    this.#lagMs ??= 0;
  }

  changed(table: TableProgress): void {
    this.#changed.add(table);
  }

  event(level: 'info' | 'warning', sentence: string, table?: TableProgress): void {
    this.#send({ kind: 'event', at: Date.now(), level, table: table ? tableName(table.route.source) : null, sentence });
  }

  blocked(table: TableProgress, error: EngineError): void {
    this.changed(table);
    const sentence = `${error.message} ${error.hint}`;
    this.#send({ kind: 'event', at: Date.now(), level: 'error', table: tableName(table.route.source), sentence });
  }

  found(tables: readonly { schema: string; name: string }[]): void {
    const fresh = tables.filter((table) => !this.#found.has(tableName(table)));
    for (const table of fresh) this.#found.add(tableName(table));
    if (fresh.length > 0) this.#send({ kind: 'found', tables: fresh.map(({ schema, name }) => ({ schema, name })) });
  }

  waited(side: 'source' | 'target', ms: number): void {
    if (side === 'source') this.#counters.waitedForSourceMs += ms;
    else this.#counters.waitedForTargetMs += ms;
  }

  refused(tables: readonly RefusedTable[]): void {
    if (tables.length === 0) return;
    this.#send({
      kind: 'tables',
      tables: tables.map(({ selection, id, error }) => ({
        id: id ?? `${byName}${tableName(selection)}`,
        source: tableName(selection),
        target: tableName(selection.target),
        state: 'blocked',
        ...leftOut,
        fault: faultOf(error),
        isRefused: true,
      })),
    });
  }

  replaced(tables: readonly { id: string; route: Route }[]): void {
    this.#send({
      kind: 'tables',
      tables: tables.map(({ id, route: { source, target } }) => ({
        id,
        source: tableName(source),
        target: tableName(target),
        state: 'removed',
        ...leftOut,
        fault: null,
      })),
    });
  }

  /** Reports a phase that does not follow from the tables. */
  phase(phase: Phase): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#send({ kind: 'phase', phase });
  }

  /** Reports what has changed since the last time. @param position in the source's log, as people read it */
  tell(position: string | null): void {
    this.#tellTables();
    this.#tellUsage();
    const at = Date.now();
    const spanMs = Math.max(1, at - this.#toldAt);
    this.#toldAt = at;
    this.#send({
      kind: 'sample',
      sample: {
        at,
        spanMs,
        ...this.#counters,
        lagMs: this.#lag(at),
        position,
        retainedBytes: this.#retainedBytes,
        logRoomBytes: this.#logRoomBytes,
        memoryBytes: process.memoryUsage.rss(),
      },
    });
    this.#counters = { ...nothing };
    // Nothing that was applied is old: the stream has delivered everything.
    if (this.#lagMs !== null) this.#lagMs = 0;
  }

  /** Waiting changes make the lag grow, even if nothing reaches the target or the source is slow to deliver. */
  #lag(at: number): number | null {
    const pending = this.#pendingSince === null ? null : at - this.#pendingSince;
    const elapsed = this.#behindSince === null ? 0 : performance.now() - this.#behindSince;
    const behind = elapsed < usualMs ? null : elapsed;
    const lags = [this.#lagMs, pending, behind].filter((lag) => lag !== null);
    return lags.length === 0 ? null : Math.max(...lags);
  }

  /** Warns once when the source keeps much of its log, and again only after that has shrunk. */
  retained(bytes: number | null, room: number | null): void {
    this.#retainedBytes = bytes;
    this.#logRoomBytes = room;
    const isMuch = bytes !== null && bytes >= retainedWarning;
    if (isMuch && !this.#hasWarned) this.event('warning', retainedSentence);
    if (isMuch || (bytes ?? 0) < retainedWarning / 2) this.#hasWarned = isMuch;
  }

  #tellTables(): void {
    if (this.#changed.size === 0) return;
    const tables = [...this.#changed].map((table) => this.#tableReport(table));
    this.#changed.clear();
    for (const { id, state } of tables) this.#states.set(id, state);
    this.#send({ kind: 'tables', tables });
    const states = [...this.#states.values()];
    if (states.some((state) => state === 'waiting' || state === 'copying')) this.phase('FULL');
    else if (!this.#isCopyOnly) this.phase(states.includes('catching-up') ? 'CATCH_UP' : 'INCRE');
  }

  #tableReport(table: TableProgress): TableReport {
    const { source, target } = table.route;
    const { state, rows, skippedFrom } = table.mark;
    return {
      id: table.id,
      source: tableName(source),
      target: tableName(target),
      state: this.#isCopyOnly && (state === 'catching-up' || state === 'live') ? 'done' : state,
      rows,
      estimate: Math.max(rows, this.#estimates.get(table.id) ?? 0),
      skipped: skippedFrom !== null,
      parked: table.parked.size,
      fault: table.fault ? faultOf(table.fault) : null,
    };
  }

  /** Reports the rows committed since the last time, under a number that is used once. */
  #tellUsage(): void {
    for (const item of ['FULL', 'INCREMENT'] as const) {
      const rows = this.#usage[item];
      if (rows === 0) continue;
      this.#usage[item] = 0;
      this.#send({ kind: 'usage', process: `${process.pid}-${startedAt}`, number: this.#usageNumber++, item, rows });
    }
  }
}

const startedAt = Date.now();
