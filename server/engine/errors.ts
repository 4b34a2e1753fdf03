/** Who retries: the job automatically after a while, an operator, or no one. */
export type Retry = 'timed' | 'manual' | 'never';

/** How much stops: a row is parked, a table is blocked, or the job stops. */
export type Scope = 'row' | 'table' | 'job';

interface EngineErrorEntry {
  retry: Retry;
  scope: Scope;
  /** What happened, for people; the error's `place` is appended to it. */
  sentence: string;
  /** What to do about it. */
  hint: string;
}

/**
 * Everything that can go wrong with a job. Entries are only added, never removed or changed in meaning: programs read
 * the codes.
 */
export const engineErrors = {
  // Reaching the systems.
  CONNECTION_REFUSED: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server does not accept connections.',
    hint: 'Check that it is running, that its address and port are correct, and that its firewall admits this machine.',
  },
  CONNECTION_LOST: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The connection was lost.',
    hint: 'The job reconnects automatically and resumes from its checkpoint.',
  },
  CONNECTION_TIMED_OUT: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server did not answer in time.',
    hint: 'Check the network between this machine and the server, and the load on the server.',
  },
  HOST_NOT_FOUND: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The host name does not resolve to an address.',
    hint: "Check the spelling of the host name, and this machine's DNS servers.",
  },
  TOO_MANY_CONNECTIONS: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server has no free connections.',
    hint: 'Raise its connection limit, or close connections that are not in use.',
  },
  SERVER_SHUTTING_DOWN: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server is shutting down, starting up or in recovery.',
    hint: 'The job continues automatically once the server accepts connections.',
  },
  SESSION_ENDED: {
    retry: 'timed',
    scope: 'job',
    sentence: "The server terminated one of the job's sessions.",
    hint: 'An administrator terminated it, or the server is shutting down. The job reconnects automatically and resumes from its checkpoint.',
  },
  STATEMENT_CANCELLED: {
    retry: 'timed',
    scope: 'job',
    sentence: "The server cancelled one of the job's statements.",
    hint: 'Someone cancelled it, or it took longer than the job allows. The job retries automatically; if this recurs, check the load on the server.',
  },
  SIGN_IN_REFUSED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The server rejected the user name or password.',
    hint: 'Correct them in the data source and test it.',
  },
  SIGN_IN_NOT_ALLOWED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'No server rule allows this user to connect to this database from this machine.',
    hint: 'Check that the role exists and has LOGIN, and that pg_hba.conf has a line for the role, the database and the address of this machine. A line that begins with hostssl needs a TLS mode other than disable.',
  },
  TLS_FAILED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'No encrypted connection could be established.',
    hint: 'Check that the server supports TLS 1.2 or later, and that nothing between it and this machine intercepts TLS.',
  },
  TLS_NOT_OFFERED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The server does not offer TLS.',
    hint: 'Turn it on at the server (ssl = on), or choose the TLS mode disable if the network is trusted.',
  },
  NOT_POSTGRESQL: {
    retry: 'manual',
    scope: 'job',
    sentence: 'What answers at this address is not PostgreSQL.',
    hint: 'Check the host and the port: another service, such as SSH or HTTP, answered the request for TLS. PostgreSQL usually listens on port 5432.',
  },
  CERTIFICATE_REFUSED: {
    retry: 'manual',
    scope: 'job',
    sentence: "The server's certificate is not trusted.",
    hint: 'Give the data source the certificate authority that signed it and the host name it was issued for. Without such an authority, the TLS mode require encrypts but checks no certificate.',
  },
  NETWORK_NOT_ALLOWED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'This installation does not connect to that network.',
    hint: "Its operator can allow a private network with JOB_NETWORKS. The store and the server's own ports stay closed.",
  },
  DATABASE_NOT_FOUND: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The server has no database with that name.',
    hint: 'Correct the name in the data source.',
  },
  FILE_MISSING: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The file does not exist.',
    hint: 'Put it below DATA_DIR/files of this installation, or correct its name in the data source. The user that this server runs as must be able to read and write the file and its folder.',
  },
  FILE_OUTSIDE: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The file is not below the folder for database files.',
    hint: 'Give its path relative to DATA_DIR/files of this installation: shop.sqlite means DATA_DIR/files/shop.sqlite.',
  },
  FILE_UNREADABLE: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The file is not a SQLite database, or it is encrypted.',
    hint: 'Choose another file in the data source.',
  },
  FILE_READ_ONLY: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The file or its folder cannot be written.',
    hint: 'The user that this server runs as must be able to write both, since SQLite creates files of its own beside the file: check their owner and rights, and that they are not mounted read-only.',
  },
  ENCODING_NOT_SUPPORTED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The database stores text in an encoding other than UTF-8.',
    hint: 'Dump it, restore it into a new UTF-8 database, and name that database in the data source.',
  },
  PRIVILEGE_MISSING: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The user lacks a privilege that the job needs.',
    hint: "Run the job's check: it names the privilege and the statement that grants it.",
  },
  VERSION_NOT_SUPPORTED: {
    retry: 'never',
    scope: 'job',
    sentence: 'This server version is not supported.',
    hint: "The system's documentation lists the versions that are tested.",
  },
  SETTING_MISSING: {
    retry: 'manual',
    scope: 'job',
    sentence: 'A server setting prevents the job from running.',
    hint: "Run the job's check: it names the setting, its value and the statement that changes it.",
  },
  BEHIND_A_POOLER: {
    retry: 'manual',
    scope: 'job',
    sentence:
      'The address leads to a connection pooler, which does not keep the session and the settings that a job needs.',
    hint: 'Give the address of the database server itself.',
  },
  SERVER_READ_ONLY: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The server does not accept writes.',
    hint: 'Give the address of the primary, or end the read-only mode.',
  },
  SERVER_FAULT: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server reported an internal error.',
    hint: "The job retries automatically. If this recurs, check that server's log.",
  },
  DISK_FULL: {
    retry: 'timed',
    scope: 'job',
    sentence: "The server's disk is full.",
    hint: 'Free space there; the job then continues automatically.',
  },
  TEMP_FILE_LIMIT: {
    retry: 'timed',
    scope: 'job',
    sentence: "One of the job's statements needs larger temporary files than the server allows.",
    hint: "Raise temp_file_limit for the job's user; the job then continues automatically.",
  },
  SERVER_MEMORY_FULL: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server is out of memory, or has no space left for locks.',
    hint: 'Give it more memory; if its log says "out of shared memory", raise max_locks_per_transaction. The job then continues automatically.',
  },
  // Positions.
  SLOT_TAKEN: {
    retry: 'timed',
    scope: 'job',
    sentence: 'Another session is reading the replication slot.',
    hint: 'Terminate that session, or wait until it ends.',
  },
  SLOT_MISSING: {
    retry: 'never',
    scope: 'job',
    sentence: 'The replication slot is gone, and with it the changes since the checkpoint.',
    hint: 'Replay the job: with a recreated slot, it copies the tables again. If the code is wal_removed, raise max_slot_wal_keep_size first; if it is idle_timeout, raise idle_replication_slot_timeout first. Otherwise the slot will be lost again.',
  },
  SLOT_LIMIT: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server has no free replication slot.',
    hint: 'Drop unused slots, or raise max_replication_slots and restart the server; the job then starts automatically.',
  },
  SLOT_AHEAD: {
    retry: 'never',
    scope: 'job',
    sentence: 'The source has discarded changes that the target does not have.',
    hint: 'Replay the job. Someone else advanced the slot, or the target was restored from a backup.',
  },
  SOURCE_WENT_BACK: {
    retry: 'never',
    scope: 'job',
    sentence: 'The source is not the one that the checkpoint belongs to, or it has lost its latest changes.',
    hint: 'Replay the job. This happens when the source was restored from a backup, or replaced by a standby that lacks changes the target already has.',
  },
  EPOCH_LOST: {
    retry: 'never',
    scope: 'job',
    sentence: 'Another process now runs this job.',
    hint: 'No action is needed: this process stops and the other one continues.',
  },
  SNAPSHOT_LOST: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The session that held the snapshot for the copy is gone.',
    hint: 'The job continues automatically: the rest is copied from a second snapshot.',
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
    sentence: 'The target no longer has a checkpoint for this job, so it is unknown which changes it has.',
    hint: "Restore the job's tables at the target together with millrace_mark and millrace_table, or replay the job. This happens when the target was restored from a backup without them, or is now another database. A deleted job that came back when this installation was restored from a backup can be deleted again.",
  },
  // Tables.
  TABLE_MISSING: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The table does not exist.',
    hint: 'Create it and then resync it; at the target, a restart of a job that creates tables creates it too. To leave it out, duplicate the job without it.',
  },
  NOT_A_TABLE: {
    retry: 'manual',
    scope: 'table',
    sentence: 'What has the name of the table is not a table that a job can carry.',
    hint: 'At the target, rename or drop it, or choose another name for the table there; at the source, choose the table that has the rows. Then start the job again, or resync the table.',
  },
  TARGET_IS_SOURCE: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The job would write to a table that it reads.',
    hint: 'Choose another target database, or another name for the table there.',
  },
  JOBS_IN_CIRCLE: {
    retry: 'manual',
    scope: 'job',
    sentence: 'Another job follows the table and writes to the one that this job reads.',
    hint: 'Each would replicate what the other writes in an endless loop, with older rows overwriting newer ones on both sides. Delete that job, or choose other tables, then start this one again.',
  },
  TARGET_TAKEN: {
    retry: 'manual',
    scope: 'table',
    sentence: 'Another job writes to the table.',
    hint: 'Choose another table at the target, or stop and delete that job, then start this one again. If no installation has that job any more, delete its rows from the table millrace_target at the target.',
  },
  TABLE_WITHOUT_KEY: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The table has no key, so its changes cannot be followed.',
    hint: "Give it a primary key, or make a unique index on NOT NULL columns its replica identity; it must not include computed columns. If it has a primary key, the job's check says why the log does not contain it.",
  },
  TABLE_UNLOGGED: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The table is unlogged, so its changes are not in the log.',
    hint: 'Make it logged (ALTER TABLE … SET LOGGED rewrites the whole table), then resume it.',
  },
  IDENTITY_COMPUTED: {
    retry: 'manual',
    scope: 'table',
    sentence:
      'The source would refuse updates and deletes on the table while a job follows it, because its replica identity is FULL and it has computed columns.',
    hint: 'Set its replica identity to the default (ALTER TABLE … REPLICA IDENTITY DEFAULT), then resume it.',
  },
  KEY_COMPARED_OTHERWISE: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target compares a key column differently from the source, so two rows could become one there.',
    hint: 'Give the column at the target the type and collation that it has at the source.',
  },
  TABLE_CHANGED: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The table was changed at the source in a way that the job does not follow automatically.',
    hint: 'Make the same change at the target, then resync the table.',
  },
  STOPPED_AT_CHANGE: {
    retry: 'manual',
    scope: 'job',
    sentence: 'The table was changed at the source, and the policy for such changes (ddl) is to stop the job.',
    hint: 'Set ddl to safe, which changes the target too where it can, or to ignore, and start the job. Set it to stop again afterwards if the next change is to stop the job too.',
  },
  COLUMN_MISSING: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target table lacks a column of the source table.',
    hint: 'Add the column and then resync the table. To leave the column out, duplicate the job without it.',
  },
  STRUCTURE_REFUSED: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target lacks something that is needed to create a table or a part of it, or to write into it.',
    hint: "Its version is older than the source's, an extension is not installed on its server, or only the application that writes a SQLite file has the function or collation. Install the extension, or create the table there by hand with something else in its place; then start the job again, or resync the table.",
  },
  TYPE_NARROWER: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target would silently round, cut, convert or replace values of a column.',
    hint: 'Give the column at the target the type that it has at the source and no expression that computes it, or leave it out of the job; then resync the table.',
  },
  NAME_TAKEN: {
    retry: 'manual',
    scope: 'table',
    sentence: 'Two source columns would become one target column.',
    hint: 'Give one of them another name at the target, or leave it out of the job.',
  },
  TYPE_NOT_SUPPORTED: {
    retry: 'never',
    scope: 'table',
    sentence: 'A column has a type that cannot be replicated.',
    hint: 'Leave the column out of the job.',
  },
  FILTER_REFUSED: {
    retry: 'manual',
    scope: 'table',
    sentence: "The row filter is not an immutable condition on the table's columns.",
    hint: 'Run the check of a job with this filter: it says what is wrong. Then recreate the job.',
  },
  QUERY_REFUSED: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The source refuses to read rows of the table.',
    hint: 'The row filter probably fails on the value of a row: correct that row at the source, then resume the table; or duplicate the job with another filter.',
  },
  TRIGGER_IN_THE_WAY: {
    retry: 'manual',
    scope: 'table',
    sentence: 'Triggers, rules or foreign keys of the target table would act on replicated rows.',
    hint: 'Allow the user to set session_replication_role, and do not enable them ALWAYS or REPLICA; on SQLite, drop the triggers. Then resync the table.',
  },
  ROW_SECURITY: {
    retry: 'manual',
    scope: 'table',
    sentence: 'Row-level security hides rows of the table from the user.',
    hint: 'Grant BYPASSRLS, or use a user that no policy restricts.',
  },
  LOCK_TIMED_OUT: {
    retry: 'timed',
    scope: 'table',
    sentence: 'Another session holds a lock on the table.',
    hint: 'The job retries automatically.',
  },
  DEADLOCK: {
    retry: 'timed',
    scope: 'job',
    sentence: 'The server resolved a deadlock by aborting this transaction.',
    hint: 'The job retries automatically.',
  },
  PARTITION_MISSING: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target has no partition for a row.',
    hint: 'Create the partition at the target as it is at the source, then resume the table.',
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
    sentence: 'A constraint at the target refuses a row.',
    hint: 'Check the named constraint, correct the row or the constraint, then retry.',
  },
  UNIQUE_REFUSED: {
    retry: 'manual',
    scope: 'row',
    sentence: 'A unique index or an exclusion constraint at the target refuses a row.',
    hint: 'Someone else writes to the target, or the source does not have this index. Resolve this, then retry.',
  },
  ENCODING_REFUSED: {
    retry: 'manual',
    scope: 'row',
    sentence: "Text cannot be stored in the target's encoding.",
    hint: 'Use a UTF-8 target, or correct the row at the source; then retry.',
  },
  ROW_TOO_LARGE: {
    retry: 'manual',
    scope: 'row',
    sentence: "A row is larger than the target or the job's memory allows.",
    hint: "Raise the job's memory, or leave the column out.",
  },
  TOO_MANY_ROWS_REFUSED: {
    retry: 'manual',
    scope: 'table',
    sentence: 'The target refused so many rows that the table was blocked.',
    hint: 'The named constraint, column or code shows the reason: change the target or the rows at the source, then resync the table.',
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
    sentence: 'The licence of this installation allows no further links.',
    hint: 'Enter an authorization code under Settings → Licence, or stop another job.',
  },
  UNEXPECTED: {
    retry: 'manual',
    scope: 'job',
    sentence: 'An unexpected error occurred.',
    hint: "The server log has the details under the job's ID; report it.",
  },
} as const satisfies Record<string, EngineErrorEntry>;

export type EngineErrorCode = keyof typeof engineErrors;

/** Every code, for schemas. */
export const engineErrorCodes = Object.keys(engineErrors) as [EngineErrorCode, ...EngineErrorCode[]];

/** Where an error happened; only names of things, never a row's values or key. */
export interface ErrorPlace {
  side?: 'source' | 'target';
  table?: string;
  column?: string;
  constraint?: string;
  /** The system's own code: SQLSTATE, errno. */
  state?: string;
  /** The setting, slot or privilege of the system that the error concerns. */
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

/** The same error for a database that no job uses yet: it may become a job's source or its target. */
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

/** Whether another row at the target holds a unique value of this row. */
export function isUniqueRefused(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'UNIQUE_REFUSED';
}

/** Whether the target refuses a row because of its content: the row is then parked, and its table continues. */
export function isOfRow(error: unknown): error is EngineError {
  return error instanceof EngineError && error.scope === 'row';
}

/** Whether an error concerns a single table, so the others can continue. */
export function isOfTable(error: unknown): error is EngineError {
  return error instanceof EngineError && error.scope !== 'job';
}

/** Whether the user lacks a privilege. */
export function isPrivilegeMissing(error: unknown): error is EngineError {
  return error instanceof EngineError && error.code === 'PRIVILEGE_MISSING';
}
