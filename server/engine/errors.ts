/** Who tries again: the job by itself after a while, a person, or nobody. */
export type Retry = 'timed' | 'manual' | 'never';

/** How much stops: a row is parked, a table blocked, the job stopped. */
export type Scope = 'row' | 'table' | 'job';

interface EngineErrorEntry {
  retry: Retry;
  scope: Scope;
  /** What happened, for a person; `where` of the error is put after it. */
  sentence: string;
  /** What to do about it. */
  hint: string;
}

/** Everything that can go wrong with a job. Entries are added, never changed in meaning or taken away: programs read the codes. */
export const engineErrors = {
  // Reaching the systems.
  CONNECTION_REFUSED: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server does not accept connections.',
    hint: 'Check that it runs, its address and port, and that its firewall lets this machine in.',
  },
  CONNECTION_LOST: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The connection was cut.',
    hint: 'The job connects again by itself and goes on from its checkpoint.',
  },
  CONNECTION_TIMED_OUT: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server did not answer in time.',
    hint: 'Check the network between this machine and the server, and the load of the server.',
  },
  HOST_NOT_FOUND: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The name of the host has no address.',
    hint: 'Check the spelling of the host, and the name servers of this machine.',
  },
  TOO_MANY_CONNECTIONS: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server has no connection left.',
    hint: 'Raise its limit, or end connections that nobody uses.',
  },
  SERVER_SHUTTING_DOWN: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server is stopping, starting or in recovery.',
    hint: 'The job goes on by itself once the server accepts connections.',
  },
  SESSION_ENDED: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server ended a session of the job.',
    hint: 'An administrator ended it, or the server is stopping. The job connects again by itself and goes on from its checkpoint.',
  },
  STATEMENT_CANCELLED: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server ended a statement of the job.',
    hint: 'Somebody cancelled it, or it took longer than the job lets it. The job tries again by itself; if it comes back, look at the load of the server.',
  },
  SIGN_IN_REFUSED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The server refused user or password.',
    hint: 'Correct them in the data source and test it.',
  },
  SIGN_IN_NOT_ALLOWED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'No rule of the server lets this user into this database from this machine.',
    hint: 'See that the role exists and may log in, and that pg_hba.conf has a line for it, the database and the address of this machine. A line that begins with hostssl needs a TLS mode other than disable.',
  },
  TLS_FAILED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'No encrypted connection could be made.',
    hint: 'See that the server speaks TLS 1.2 or later, and that nothing between it and this machine takes TLS apart.',
  },
  TLS_NOT_OFFERED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The server offers no TLS.',
    hint: 'Turn it on at the server (ssl = on), or choose the TLS mode disable where the network is trusted.',
  },
  CERTIFICATE_REFUSED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The certificate of the server is not trusted.',
    hint: 'Give the data source the certificate authority that signed it, and the host name that it is made for. Without such an authority the TLS mode require encrypts, and checks no certificate.',
  },
  NETWORK_NOT_ALLOWED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'This installation does not connect to that network.',
    hint: 'Its operator can allow a private network with JOB_NETWORKS. The store and the ports of the server itself stay closed.',
  },
  DATABASE_NOT_FOUND: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The server has no database of that name.',
    hint: 'Correct the name in the data source.',
  },
  FILE_MISSING: {
    retry: 'manual',
    scope: 'job',
    sentence: 'There is no such file.',
    hint: 'Put it below DATA_DIR/files of this installation, or correct its name in the data source; the user of this server has to be able to read and write it and its folder.',
  },
  FILE_OUTSIDE: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The file is not below the folder for database files.',
    hint: 'Give its path below DATA_DIR/files of this installation: shop.sqlite is DATA_DIR/files/shop.sqlite.',
  },
  FILE_UNREADABLE: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The file is no database of SQLite, or is encrypted.',
    hint: 'Name another file in the data source.',
  },
  ENCODING_NOT_SUPPORTED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The database keeps its texts in an encoding other than UTF-8.',
    hint: 'Dump it and read it into a new one in UTF-8, which the data source then names.',
  },
  PRIVILEGE_MISSING: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The user may not do what the job needs.',
    hint: 'Run the check of the job: it names the privilege and the statement that grants it.',
  },
  VERSION_NOT_SUPPORTED: {
    retry: 'never',
    scope: 'job',
    sentence: 'This version of the server is not supported.',
    hint: 'The documents of the system list the versions that are tested.',
  },
  SETTING_MISSING: {
    retry: 'manual',
    scope: 'job',
    sentence: 'A setting of the server keeps the job from running.',
    hint: 'Run the check of the job: it names the setting, its value and the statement that changes it.',
  },
  BEHIND_A_POOLER: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The address leads to a connection pooler, which cannot carry replication.',
    hint: 'Give the address of the database itself.',
  },
  SERVER_READ_ONLY: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The server does not take writes.',
    hint: 'Give the address of the primary, or end its read-only mode.',
  },
  SERVER_FAULT: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server met a fault of its own.',
    hint: 'The job tries again by itself. If it comes back, look into the log of that server.',
  },
  DISK_FULL: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The disk of the server is full.',
    hint: 'Make room there; the job goes on by itself.',
  },
  TEMP_FILE_LIMIT: {
    retry: 'timed',
    scope: 'job',
    sentence: 'A statement of the job needs larger temporary files than the server allows.',
    hint: 'Raise temp_file_limit for the user of the job; the job goes on by itself.',
  },
  SERVER_MEMORY_FULL: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server is out of memory, or out of room for locks.',
    hint: 'Give it more memory; where its log says "out of shared memory", raise max_locks_per_transaction. The job goes on by itself.',
  },
  // Positions.
  SLOT_TAKEN: {
    retry: 'timed',
    scope: 'job',
    sentence: 'Another session reads the replication slot.',
    hint: 'End that session, or wait until it ends.',
  },
  SLOT_MISSING: {
    retry: 'never',
    scope: 'job',
    sentence: 'The replication slot is gone, and with it the changes since the checkpoint.',
    hint: 'Replay the job: with a slot that was made anew it copies again. Where the code is wal_removed, raise max_slot_wal_keep_size first; where it is idle_timeout, raise idle_replication_slot_timeout: or it comes back.',
  },
  SLOT_LIMIT: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server has no replication slot left.',
    hint: 'Drop slots that nobody uses, or raise max_replication_slots and restart the server; the job begins by itself.',
  },
  SLOT_AHEAD: {
    retry: 'never',
    scope: 'job',
    sentence: 'The source has forgotten changes that the target does not hold.',
    hint: 'Replay the job. Somebody else moved the slot, or the target was restored from a backup.',
  },
  SOURCE_WENT_BACK: {
    retry: 'never',
    scope: 'job',
    sentence: 'The source is not the one that the checkpoint belongs to, or it has lost its newest changes.',
    hint: 'Replay the job. This happens when the source was restored from a backup, or replaced by a standby that lacks what the target has.',
  },
  EPOCH_LOST: {
    retry: 'never',
    scope: 'job',
    sentence: 'Another process runs this job now.',
    hint: 'Nothing: this process stops, the other one goes on.',
  },
  SNAPSHOT_LOST: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The session that kept the moment of the copy is gone.',
    hint: 'The job goes on by itself: the rest is copied from a second moment.',
  },
  MARK_DAMAGED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The checkpoint at the target cannot be read.',
    hint: 'Restore the tables millrace_mark and millrace_table at the target, or replay the job.',
  },
  MARK_MISSING: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The target has no checkpoint of this job any more, so nobody knows which changes it has.',
    hint: 'Restore the tables of the job at the target together with millrace_mark and millrace_table, or replay the job. This happens when the target was restored from a backup without them, or is another database now. A job that was deleted, and is there again since this installation was restored from a backup, can be deleted once more.',
  },
  // Tables.
  TABLE_MISSING: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The table is not there.',
    hint: 'Create it or take it out of the job; then resync it.',
  },
  TARGET_IS_SOURCE: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The job would write into a table that it reads.',
    hint: 'Choose another database at the target, or another name for the table there.',
  },
  JOBS_IN_CIRCLE: {
    retry: 'manual',
    scope: 'job',
    sentence: 'Another job follows the table and writes into the one that this job reads.',
    hint: 'Each would carry what the other one writes for ever, older rows over newer ones at both sides. Delete the job that is named, or choose other tables, then start this one again.',
  },
  TARGET_TAKEN: {
    retry: 'manual',
    scope: 'table',
    sentence: 'Another job writes into the table.',
    hint: 'Choose another table at the target, or stop and delete that job, then start this one again. Where no installation has that job any more, delete its rows from the table millrace_target at the target.',
  },
  TABLE_WITHOUT_KEY: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The table has no key, so its changes cannot be followed.',
    hint: 'Give it a primary key, or make a unique index on NOT NULL columns its replica identity.',
  },
  TABLE_UNLOGGED: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The table is unlogged, so its changes are in no log.',
    hint: 'Make it logged (ALTER TABLE … SET LOGGED writes the whole table again), then resume it.',
  },
  IDENTITY_COMPUTED: {
    retry: 'manual',
    scope: 'table',
    sentence:
      'The source would refuse updates and deletes of the table while a job follows it, since its replica identity is FULL and has computed columns.',
    hint: 'Make its replica identity the default one (ALTER TABLE … REPLICA IDENTITY DEFAULT), then resume it.',
  },
  KEY_COMPARED_OTHERWISE: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target compares a column of the key otherwise than the source, so that two rows could be one there.',
    hint: 'Give the column at the target the type and the collation that it has at the source.',
  },
  TABLE_CHANGED: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The table was changed at the source in a way that the job does not follow by itself.',
    hint: 'Make the same change at the target, then resync the table.',
  },
  COLUMN_MISSING: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target table lacks a column of the source.',
    hint: 'Add the column, or take it out of the job; then resync the table.',
  },
  STRUCTURE_REFUSED: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target lacks what a statement needs that makes a table, or a part of it.',
    hint: 'Its version is older than that of the source, or an extension is not installed on its server: install it, or make the table there by hand with something else in its place; then start the job again, or resync the table.',
  },
  TYPE_NARROWER: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target would round, cut, convert or replace values of a column, unsaid.',
    hint: 'Give the column at the target the type that it has at the source, and no expression that computes it, or leave it out of the job; then resync the table.',
  },
  NAME_TAKEN: {
    retry: 'manual',
    scope: 'table',
    sentence: 'Two columns of the source would become one of the target.',
    hint: 'Give one of them another name at the target, or leave it out of the job.',
  },
  TYPE_NOT_SUPPORTED: {
    retry: 'never',
    scope: 'table',
    sentence: 'A column has a type that cannot be carried over.',
    hint: 'Leave the column out of the job.',
  },
  FILTER_REFUSED: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The row filter is no immutable condition on columns of the table.',
    hint: 'Run the check of a job with this filter: it says what is wrong. Then make the job anew.',
  },
  TRIGGER_IN_THE_WAY: {
    retry: 'manual',
    scope: 'table',
    sentence: 'Triggers or foreign keys of the target table would act on replicated rows.',
    hint: 'Allow the user to set session_replication_role, or disable them; on SQLite, drop the triggers. Then resync the table.',
  },
  ROW_SECURITY: {
    retry: 'manual',
    scope: 'table',
    sentence: 'Row security hides rows of the table from the user.',
    hint: 'Grant BYPASSRLS, or give a user whom no policy limits.',
  },
  LOCK_TIMED_OUT: {
    retry: 'timed',
    scope: 'table',
    sentence: 'The table is locked by somebody else.',
    hint: 'The job tries again by itself.',
  },
  DEADLOCK: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server ended a deadlock by refusing this transaction.',
    hint: 'The job tries again by itself.',
  },
  PARTITION_MISSING: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target has no partition for a row.',
    hint: 'Make the partition at the target as the source has it, then resume the table.',
  },
  // Rows.
  VALUE_REFUSED: {
    retry: 'manual',
    scope: 'row',
    sentence: 'The target refuses a value.',
    hint: 'Widen the column at the target, or correct the row at the source; then retry.',
  },
  CONSTRAINT_REFUSED: {
    retry: 'manual',
    scope: 'row',
    sentence: 'A constraint of the target refuses a row.',
    hint: 'Look at the constraint that is named, correct the row or the constraint; then retry.',
  },
  UNIQUE_REFUSED: {
    retry: 'manual',
    scope: 'row',
    sentence: 'A unique index of the target, or an exclusion constraint, refuses a row.',
    hint: 'Somebody else writes to the target, or the index is not one of the source; then retry.',
  },
  ENCODING_REFUSED: {
    retry: 'manual',
    scope: 'row',
    sentence: 'A text cannot be written in the encoding of the target.',
    hint: 'Use a target in UTF-8, or correct the row at the source; then retry.',
  },
  ROW_TOO_LARGE: {
    retry: 'manual',
    scope: 'row',
    sentence: 'A row is larger than the target or the memory of the job allows.',
    hint: 'Raise the memory of the job, or leave the column out.',
  },
  TOO_MANY_ROWS_REFUSED: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target refused so many rows that the table was blocked.',
    hint: 'The constraint, the column or the code that is named tells the reason: change the target or the rows at the source, then resync the table.',
  },
  // The job itself.
  MEMORY_LIMIT: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The job reached its memory limit.',
    hint: 'Choose a larger size for the job.',
  },
  LICENCE_LINKS: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The licence of this installation allows no further link.',
    hint: 'Enter an authorization code under Settings → Licence, or stop another job.',
  },
  UNEXPECTED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'Something happened that no rule covers.',
    hint: 'The log of the server has the details under the id of the job; report it.',
  },
} as const satisfies Record<string, EngineErrorEntry>;

export type EngineErrorCode = keyof typeof engineErrors;

/** Every code, for schemas. */
export const engineErrorCodes = Object.keys(engineErrors) as [EngineErrorCode, ...EngineErrorCode[]];

/** Where an error happened; names of things only, never a value or a key of a row. */
export interface ErrorPlace {
  side?: 'source' | 'target';
  table?: string;
  column?: string;
  constraint?: string;
  /** The system's own code: SQLSTATE, errno. */
  state?: string;
  /** The system's setting, slot or privilege that it is about. */
  subject?: string;
}

/** The only error that sources, sinks and phases throw. */
export class EngineError extends Error {
  override name = 'EngineError';
  readonly code: EngineErrorCode;
  readonly place: ErrorPlace;

  constructor(code: EngineErrorCode, place: ErrorPlace = {}, options?: ErrorOptions) {
    super(sentenceOf(code, place), options);
    this.code = code;
    this.place = place;
  }

  get retry(): Retry {
    return engineErrors[this.code].retry;
  }

  get scope(): Scope {
    return engineErrors[this.code].scope;
  }

  get hint(): string {
    return engineErrors[this.code].hint;
  }
}

/** The same of a database that no job has yet: it may become the source of one, or its target. */
export function ofNoSide(error: EngineError): EngineError {
  const { side: _, ...place } = error.place;
  return new EngineError(error.code, place, { cause: error });
}

function sentenceOf(code: EngineErrorCode, { side, table, column, constraint, state, subject }: ErrorPlace): string {
  const words = [
    side && (side === 'source' ? 'at the source' : 'at the target'),
    table && `table ${table}`,
    column && `column ${column}`,
    constraint && `constraint ${constraint}`,
    subject,
    state && `code ${state}`,
  ].filter(Boolean);
  const { sentence } = engineErrors[code];
  return words.length === 0 ? sentence : `${sentence.slice(0, -1)} (${words.join(', ')}).`;
}

/** Whether another row at the target has a unique value of a row. */
export function isUniqueRefused(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'UNIQUE_REFUSED';
}

/** Whether the target refuses a row for what is in it: then it is parked, and its table goes on. */
export function isOfRow(error: unknown): error is EngineError {
  return error instanceof EngineError && error.scope === 'row';
}

/** Whether an error concerns one table, so that the others can go on. */
export function isOfTable(error: unknown): error is EngineError {
  return error instanceof EngineError && error.scope !== 'job';
}

/** Whether the user may not do something. */
export function isPrivilegeMissing(error: unknown): error is EngineError {
  return error instanceof EngineError && error.code === 'PRIVILEGE_MISSING';
}
