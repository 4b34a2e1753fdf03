import pg from 'pg';
import { type Cell, type Change, type Row, type RowChange, UNCHANGED } from '../../change.ts';
import { EngineError, type ErrorPlace } from '../../errors.ts';
import type { Position } from '../../position.ts';
import type { ChangeStream } from '../../source.ts';
import type { Table } from '../../table.ts';
import type { PostgresSettings } from './card.ts';
import { connect, type SideOptions } from './connect.ts';
import { engineError } from './errors.ts';
import { type LogNames, logNames } from './log-names.ts';
import { endOfLog, parseLsn, positionAt, positionOfEnd, printLsn } from './lsn.ts';
import type { LogMessage, Tuple } from './pgoutput.ts';
import { type LinkMessage, type Patience, ReplicationLink } from './replication-link.ts';
import { freeSlot } from './reserve.ts';
import { askRow, type Sessions } from './sessions.ts';
import { type Shape, Shapes } from './shapes.ts';
import { widen } from './snapshot.ts';

/**
 * How often we report to the server and ask for its position, in milliseconds; an idle server sends nothing on its own.
 */
const longestSilence = 1_000;

export interface StreamOptions {
  settings: PostgresSettings;
  own: Required<SideOptions>;
  /** For catalogue queries while the stream continues. */
  sessions: Sessions;
  job: string;
  from: Position;
  tables: readonly Table[];
  /** Default: 5 minutes of silence, 30 seconds paused, 20 seconds while the server is shutting down. */
  patience?: Patience;
}

/**
 * Opens a job's stream if its slot still has everything after the position.
 * @throws EngineError SLOT_MISSING, SLOT_AHEAD, SLOT_TAKEN, SOURCE_WENT_BACK, SETTING_MISSING
 */
export async function openStream(options: StreamOptions): Promise<ChangeStream> {
  const stream = new LogStream(options);
  await stream.open();
  return stream;
}

class LogStream implements ChangeStream {
  readonly #options: StreamOptions;
  readonly #shapes: Shapes;
  #link: ReplicationLink | undefined;
  #closed = false;
  /** A 64-bit transaction ID near those in the log. */
  #near = 0n;
  /** The newest position outside a transaction that the stream has passed on. */
  #told: bigint;
  #acknowledged: bigint;
  /** Row messages passed on from the open transaction; null outside a transaction. */
  #open: number | null = null;
  /** Row messages to skip, since they were passed on before the connection was reopened. */
  #skip = 0;
  /** A transaction continues whose beginning was passed on before the connection was reopened. */
  #goesOn = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#told = parseLsn(options.from.resume);
    this.#acknowledged = this.#told;
    this.#shapes = new Shapes(options.tables, (work) => options.sessions.ask(work));
  }

  async open(): Promise<void> {
    const { settings, own, sessions, job } = this.#options;
    const names = logNames(settings, job);
    const session = await connect(settings, { side: 'source', ...own, job, replication: true });
    try {
      await sessions.ask((other) => checkSlot(other, names, job, this.#told));
      const [near, timeout] = await askRow(
        session,
        `SELECT pg_snapshot_xmax(pg_current_snapshot()), setting FROM pg_settings WHERE name = 'wal_sender_timeout'`,
      );
      this.#near = BigInt(near ?? 0);
      const third = Math.floor(Number(timeout) / 3);
      const link = new ReplicationLink(session, {
        statement: `START_REPLICATION SLOT ${names.slot} LOGICAL ${printLsn(this.#told)} (proto_version '1', publication_names ${pg.escapeLiteral(pg.escapeIdentifier(names.publication))})`,
        statusMs: third === 0 ? longestSilence : Math.min(third, longestSilence),
        patience: this.#options.patience ?? { silence: 300_000, pause: 30_000, stop: 20_000 },
        acknowledged: () => this.#acknowledged,
      });
      await link.start();
      this.#link = link;
    } catch (error) {
      session.connection.stream.destroy();
      throw engineError(error, { side: 'source', subject: `slot ${names.slot}` });
    }
  }

  acknowledge(position: Position): void {
    const lsn = parseLsn(position.resume);
    if (lsn > this.#told)
      throw new EngineError('UNEXPECTED', { side: 'source', subject: 'a position that the stream has not reached' });
    if (lsn <= this.#acknowledged) return;
    this.#acknowledged = lsn;
    this.#link?.acknowledged();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#link?.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Change[]> {
    try {
      while (!this.#closed && this.#link) {
        const messages = await this.#link.take();
        if (messages.length === 0 && this.#link.isAbandoned && !this.#closed) await this.#openAgain();
        const changes = await this.#translate(messages);
        if (changes.length > 0) yield changes;
      }
    } finally {
      await this.close();
    }
  }

  /** Continues after a pause for which the connection was closed. */
  async #openAgain(): Promise<void> {
    await this.#link?.close();
    this.#goesOn = this.#open !== null;
    // A connection abandoned before it got this far again does not change what has been passed on.
    if (this.#open !== null) this.#skip = Math.max(this.#skip, this.#open);
    await this.open();
  }

  async #translate(messages: readonly LinkMessage[]): Promise<Change[]> {
    const changes: Change[] = [];
    for (const message of messages) {
      if (message.kind === 'relation') {
        const table = await this.#shapes.take(message.relation);
        if (table) changes.push({ kind: 'schema', table });
        continue;
      }
      const change = message.kind === 'keepalive' ? this.#alive(message.end) : this.#change(message);
      if (change) changes.push(change);
    }
    return changes;
  }

  /** The server starts reading before the requested position, and reports positions from there. */
  #alive(end: bigint): Change | undefined {
    if (this.#open !== null || end < this.#told) return undefined;
    this.#told = end;
    return { kind: 'alive', position: positionAt(end) };
  }

  #change(message: Exclude<LogMessage, { kind: 'relation' }>): Change | undefined {
    switch (message.kind) {
      case 'begin': {
        this.#near = widen(message.xid, this.#near);
        this.#open = 0;
        const begin: Change = {
          kind: 'begin',
          transaction: String(this.#near),
          committedAt: message.committedAt,
        };
        return this.#goesOn ? undefined : begin;
      }
      case 'commit':
        this.#open = null;
        this.#goesOn = false;
        this.#skip = 0;
        this.#told = message.end;
        return { kind: 'commit', position: positionAt(message.end) };
      default: {
        this.#open = (this.#open ?? 0) + 1;
        return this.#open > this.#skip ? this.#rowMessage(message) : undefined;
      }
    }
  }

  #rowMessage(message: Extract<LogMessage, { kind: 'insert' | 'update' | 'delete' | 'truncate' }>): Change {
    switch (message.kind) {
      case 'truncate':
        return { kind: 'truncate', tables: message.relations.map((relation) => this.#shapes.of(relation).table) };
      case 'insert': {
        const shape = this.#shapes.of(message.relation);
        return { kind: 'row', op: 'insert', table: shape.table, before: null, after: rowOf(shape, message.after) };
      }
      case 'delete': {
        const shape = this.#shapes.of(message.relation);
        const before = oldRow(shape, message.before, message.isWhole);
        return { kind: 'row', op: 'delete', table: shape.table, before, after: null, ...toldWhole(message) };
      }
      case 'update': {
        const shape = this.#shapes.of(message.relation);
        const before = message.before && oldRow(shape, message.before, message.isWhole);
        return { ...updateOf(shape, before, message.after), ...toldWhole(message) };
      }
    }
  }
}

const toldWhole = ({ isWhole }: { isWhole: boolean }): Pick<RowChange, 'isToldWhole'> =>
  isWhole ? { isToldWhole: true } : {};

/** An old row alone does not mean that the key changed; it fills in the cells that the new one lacks. */
function updateOf(shape: Shape, before: Row | null, tuple: Tuple): RowChange {
  const { table } = shape;
  const told = rowOf(shape, tuple);
  if (!before) return { kind: 'row', op: 'update', table, before: null, after: told };
  // An unchanged cell that is left out is never NULL; if the old row has NULL there, it lacks the cell too.
  const after = told.map((cell, column) => (cell === UNCHANGED ? (before[column] ?? UNCHANGED) : cell));
  const isMoved = table.key.some((column) => before[column] !== after[column]);
  return { kind: 'row', op: 'update', table, before: isMoved ? before : null, after };
}

/** The log has NULL for cells outside the key, unless it contains whole old rows. */
function oldRow(shape: Shape, tuple: Tuple, isWhole: boolean): Row {
  const row = rowOf(shape, tuple);
  if (isWhole) return row;
  const key = new Set(shape.table.key);
  return row.map((cell, column) => (key.has(column) ? cell : UNCHANGED));
}

function rowOf({ table, places, isSame }: Shape, tuple: Tuple): Row {
  if (isSame) return tuple;
  const row = new Array<Cell>(table.columns.length).fill(UNCHANGED);
  for (const [column, place] of places.entries()) {
    const cell = tuple[column];
    if (cell !== undefined) row[place] = cell;
  }
  return row;
}

/** @throws EngineError if the slot cannot provide everything after `from` */
async function checkSlot(
  session: pg.ClientBase,
  { slot, publication }: LogNames,
  job: string,
  from: bigint,
): Promise<void> {
  const place: ErrorPlace = { side: 'source', subject: `slot ${slot}` };
  if ((await freeSlot(session, slot, job)) === 'missing') throw new EngineError('SLOT_MISSING', place);
  const [flushed, isOurs, status, reason, end, isPublished] = await askRow(
    session,
    `SELECT confirmed_flush_lsn, plugin = 'pgoutput' AND database = current_database(), wal_status,
      to_jsonb(s) ->> 'invalidation_reason', ${endOfLog}, EXISTS (SELECT FROM pg_publication WHERE pubname = $2)
    FROM pg_replication_slots AS s WHERE slot_name = $1`,
    [slot, publication],
  );
  if (isOurs !== 't' || status === 'lost' || !flushed)
    throw new EngineError('SLOT_MISSING', { ...place, ...(status === 'lost' && { state: reason ?? 'wal_removed' }) });
  if (isPublished !== 't')
    throw new EngineError('SETTING_MISSING', { side: 'source', subject: `publication ${publication}` });
  if (parseLsn(flushed) > from) throw new EngineError('SLOT_AHEAD', place);
  if (positionAt(from).order > positionOfEnd(end ?? '').order) throw new EngineError('SOURCE_WENT_BACK', place);
}
