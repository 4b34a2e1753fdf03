import { createHash, randomBytes } from 'node:crypto';
import { EngineError } from '../../errors.ts';
import type { Position } from '../../position.ts';
import type { Named } from '../../sink.ts';
import { keyColumns } from '../../sql/columns.ts';
import { quoteName, quoteNames } from '../../sql/names.ts';
import { type Table, tableName } from '../../table.ts';
import type { Session } from './connect.ts';
import { defaultValue } from './default-values.ts';
import { literal } from './literal.ts';
import { type Description, describe, isSameName } from './tables.ts';
import { holderConditions } from './unique-values.ts';

/**
 * A job's log in the source's own file, since SQLite has none that can be read: a table of keys, filled by triggers on
 * every table of the job. Its first row names the log itself; that row and the newest one are never deleted, so that no
 * sequence number is used twice. A position also contains its row's time: a log restored from a backup writes another
 * row, at another time, under the same number.
 */

export function logName(job: string): string {
  return `millrace_log_${job}`;
}

/** Epoch milliseconds, in functions older than `unixepoch`, since the triggers run in the application's own SQLite. */
const now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";

/** A row in the log. */
export interface Place {
  sequence: bigint;
  /** When it was written, in epoch milliseconds; undefined if the row does not exist, or the time is unknown. */
  at: bigint | undefined;
}

/** The present state of a log. */
export interface Log {
  /** A name that no other log has. */
  identity: string;
  newest: Place;
  /** The oldest place after which a stream can continue. */
  oldest: Place;
}

/** A job's log; undefined if it is gone. */
export function logOf(session: Session, job: string): Log | undefined {
  if (!exists(session, logName(job))) return undefined;
  const log = quoteName(logName(job));
  // With max(), SQLite takes `at` from the row with the maximum.
  const [identity, sequence, at, next] =
    session.row(
      `SELECT (SELECT k0 FROM ${log} WHERE sequence = 1), max(sequence), at,
        (SELECT min(sequence) FROM ${log} WHERE sequence > 1) FROM ${log}`,
    ) ?? [];
  if (typeof identity !== 'string' || typeof sequence !== 'bigint' || typeof at !== 'bigint') return undefined;
  const newest = { sequence, at };
  return { identity, newest, oldest: typeof next === 'bigint' ? { sequence: next - 1n, at: undefined } : newest };
}

/** When the row with a sequence number was written, in epoch milliseconds; undefined if it does not exist. */
function writtenAt(session: Session, job: string, sequence: bigint): bigint | undefined {
  const [at] = session.row(`SELECT at FROM ${quoteName(logName(job))} WHERE sequence = ?`, sequence) ?? [];
  return typeof at === 'bigint' ? at : undefined;
}

/** Whether a log ever passed through a place; if not, it was restored from an older backup. */
export function isInLog(session: Session, job: string, { newest }: Log, { sequence, at }: Place): boolean {
  if (sequence > newest.sequence) return false;
  // A missing row was deleted, which happens only after it was streamed.
  const now = at === undefined ? undefined : writtenAt(session, job, sequence);
  return now === undefined || now === at;
}

/** A place in a log as a position; `order` is long enough for every sequence number. */
export function positionOf({ identity }: Log, { sequence, at }: Place): Position {
  const when = at === undefined ? '' : `${at} `;
  return { order: String(sequence).padStart(19, '0'), resume: `${identity} ${when}${sequence}` };
}

/**
 * The place that a position refers to; earlier versions wrote no time.
 * @throws Error for what `positionOf` did not write
 */
export function placeOf({ resume }: Position): Place & { identity: string } {
  const [, identity, at, sequence] = /^([0-9a-f]{32}) (?:(\d{1,19}) )?(\d{1,19})$/.exec(resume) ?? [];
  if (!identity || !sequence) throw new EngineError('MARK_DAMAGED', { side: 'target' });
  return { identity, sequence: BigInt(sequence), at: at === undefined ? undefined : BigInt(at) };
}

/** Names of all logs in the file. */
export function logJobs(session: Session): string[] {
  return session
    .rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'millrace\\_log\\_%' ESCAPE '\\'")
    .map(([name]) => String(name).slice(logName('').length));
}

/** Whether a job has triggers on a table. */
export function isFollowed(session: Session, job: string, { name }: Named): boolean {
  return triggersOfJob(session, job).some(({ table }) => isSameName(table, name));
}

/**
 * Creates log and triggers, or adapts them to the tables as they are now.
 * @returns names of tables whose triggers changed
 */
export function reserve(session: Session, job: string, tables: readonly Table[]): string[] {
  const log = quoteName(logName(job));
  if (!exists(session, logName(job))) {
    session.run(`CREATE TABLE ${log} (sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, name TEXT NOT NULL, k0)`);
    session.run(
      `INSERT INTO ${log} (sequence, at, name, k0) VALUES (1, ${now}, '', ?)`,
      randomBytes(16).toString('hex'),
    );
  }
  widen(session, job, tables);
  return replaceTriggers(session, job, tables, () => true);
}

/** Creates the triggers for further tables. @throws EngineError SLOT_MISSING if the log is gone */
export function include(session: Session, job: string, tables: readonly Table[]): void {
  if (!exists(session, logName(job))) throw new EngineError('SLOT_MISSING', { side: 'source', subject: logName(job) });
  widen(session, job, tables);
  const own = new Set(tables.map(({ id }) => id));
  replaceTriggers(session, job, tables, (table) => own.has(table));
}

/** Gives the log one column for each column of the widest key. */
function widen(session: Session, job: string, tables: readonly Table[]): void {
  const width = session.rows('SELECT 1 FROM pragma_table_xinfo(?)', logName(job)).length - 3;
  const wanted = Math.max(0, ...tables.map(({ key }) => key.length));
  for (let place = width; place < wanted; place++)
    session.run(`ALTER TABLE ${quoteName(logName(job))} ADD COLUMN k${place}`);
}

/** @param isOurs whether a table's triggers may be dropped @returns names of tables whose triggers changed */
function replaceTriggers(
  session: Session,
  job: string,
  tables: readonly Table[],
  isOurs: (table: string) => boolean,
): string[] {
  const all = triggersOfJob(session, job);
  const triggers = new Map(
    tables.flatMap((table) => {
      const wanted = triggersOf(session, job, table);
      const token = unbrokenToken(table, wanted, all) ?? randomBytes(16).toString('hex');
      return wanted.map((trigger) => [trigger.name, { table: table.id, sql: sqlOf(trigger, token) }] as const);
    }),
  );
  // A renamed table has taken its triggers along, under the names that the new table's triggers get.
  const have = all.filter(({ name, table }) => isOurs(table) || triggers.has(name));
  const changed = new Set<string>();
  for (const { name, table, sql } of have) {
    if (triggers.get(name)?.sql === sql) continue;
    session.run(`DROP TRIGGER ${quoteName(name)}`);
    changed.add(table);
  }
  const kept = new Set(have.filter(({ name, sql }) => triggers.get(name)?.sql === sql).map(({ name }) => name));
  for (const [name, { table, sql }] of triggers) {
    if (kept.has(name)) continue;
    session.run(sql);
    changed.add(table);
  }
  return [...changed];
}

/** A trigger as it should be. */
interface Trigger {
  name: string;
  head: string;
  statements: readonly string[];
}

function sqlOf({ head, statements }: Trigger, token: string): string {
  return `${head} BEGIN /* ${token} */ ${statements.join(' ')} END`;
}

const tokenPattern = /BEGIN \/\* ([0-9a-f]{32}) \*\//;

/**
 * The token of a table whose triggers have logged every change so far. SQLite drops them with the table, which nothing
 * else shows to be recreated; undefined also if a trigger is missing, or logged less than it should.
 */
function unbrokenToken(
  { name }: Table,
  wanted: readonly Trigger[],
  have: readonly { name: string; table: string; sql: string }[],
): string | undefined {
  const texts = new Map(have.filter(({ table }) => table === name).map((trigger) => [trigger.name, trigger.sql]));
  const isUnbroken = wanted.every((trigger) =>
    trigger.statements.every((statement) => texts.get(trigger.name)?.includes(statement)),
  );
  const first = isUnbroken && texts.get(wanted[0]?.name ?? '');
  return first ? tokenPattern.exec(first)?.[1] : undefined;
}

/**
 * A different value each time that changes of a table may have been missed: its triggers' token, and the statement that
 * created it, since a script that recreates it may restore the triggers, and columns can swap names.
 */
export function continuityOf(session: Session, job: string, { id, name }: Table): string {
  const [trigger, table] =
    session.row(
      `SELECT (SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ? AND tbl_name = ?),
        (SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?)`,
      triggerName(job, 'ai', id),
      name,
      name,
    ) ?? [];
  const token = tokenPattern.exec(String(trigger))?.[1] ?? 'not logged';
  return `${token} ${createHash('sha256').update(String(table)).digest('hex').slice(0, 32)}`;
}

function triggerName(job: string, suffix: string, table: string): string {
  return `millrace_${job}_${suffix}_${table}`;
}

/** Removes triggers and log; the triggers first, since without the log they would make every write fail. */
export function release(session: Session, job: string): void {
  for (const { name } of triggersOfJob(session, job)) session.run(`DROP TRIGGER ${quoteName(name)}`);
  session.run(`DROP TABLE IF EXISTS ${quoteName(logName(job))}`);
}

function exists(session: Session, table: string): boolean {
  return session.row("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", table) !== undefined;
}

function triggersOfJob(session: Session, job: string): { name: string; table: string; sql: string }[] {
  return session
    .rows("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .map(([name, table, sql]) => ({ name: String(name), table: String(table), sql: String(sql) }))
    .filter(({ name }) => name.startsWith(`millrace_${job}_`));
}

/** A new row's cell as REPLACE compares it: it replaces NULL with the default of a NOT NULL column. */
function replacing({ defaults }: Description, column: string): string {
  const cell = `NEW.${quoteName(column)}`;
  const value = defaults.get(column);
  return value === undefined ? cell : `coalesce(${cell}, ${defaultValue(value)})`;
}

/** A table within its own triggers; one named OLD or NEW would take the place of the row that has this name there. */
function ownRows({ name }: Table): string {
  return /^(?:old|new)$/i.test(name) ? `${quoteName(name)} AS millrace_row` : quoteName(name);
}

/** The triggers of one table. @throws EngineError if it has no key or is gone */
function triggersOf(session: Session, job: string, { name }: Table): Trigger[] {
  const description = describe(session, name);
  if (!description) throw new EngineError('TABLE_MISSING', { side: 'source', table: name });
  const { table } = description;
  if (table.key.length === 0) {
    throw new EngineError('TABLE_WITHOUT_KEY', { side: 'source', table: tableName(table) });
  }
  const keys = keyColumns(table).map((column) => column.name);
  const into = `INSERT INTO ${quoteName(logName(job))} (at, name, ${keys.map((_, place) => `k${place}`).join(', ')})`;
  const what = `${now}, ${literal(table.id)}`;
  const cells = (row: 'OLD' | 'NEW') => keys.map((key) => `${row}.${quoteName(key)}`).join(', ');
  const same = (row: string) =>
    keys.map((key) => `${row}${quoteName(key)} IS OLD.${quoteName(key)} COLLATE BINARY`).join(' AND ');
  const replaced = holderConditions(session, description, (column) => replacing(description, column), false);
  const held = (condition: string, but: string) =>
    `${into} SELECT ${what}, ${quoteNames(keys)} FROM ${ownRows(table)} WHERE (${condition})${but};`;

  const events: [string, string, string[]][] = [
    ['ai', 'AFTER INSERT', [`${into} VALUES (${what}, ${cells('NEW')});`]],
    ['ad', 'AFTER DELETE', [`${into} VALUES (${what}, ${cells('OLD')});`]],
    [
      'au',
      'AFTER UPDATE',
      [
        `${into} VALUES (${what}, ${cells('OLD')});`,
        `${into} SELECT ${what}, ${cells('NEW')} WHERE NOT (${same('NEW.')});`,
      ],
    ],
    // REPLACE deletes conflicting rows without firing a delete trigger.
    ['bi', 'BEFORE INSERT', replaced.map((condition) => held(condition, ''))],
    ['bu', 'BEFORE UPDATE', replaced.map((condition) => held(condition, ` AND NOT (${same('')})`))],
  ];
  return events
    .filter(([, , statements]) => statements.length > 0)
    .map(([suffix, event, statements]) => {
      const trigger = triggerName(job, suffix, table.id);
      return {
        name: trigger,
        head: `CREATE TRIGGER ${quoteName(trigger)} ${event} ON ${quoteName(table.name)}`,
        statements,
      };
    });
}
