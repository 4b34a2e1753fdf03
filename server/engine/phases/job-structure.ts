import { type EngineError, isUniqueRefused } from '../errors.ts';
import { firstPauseMs, longerPause } from '../flow/lock-patience.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import type { JobSpec } from '../job.ts';
import type { Sink, Statement } from '../sink.ts';
import type { Source } from '../source.ts';
import { tableName } from '../table.ts';
import { makeStructure, type RefusedStatement, type StructureToMake } from './structure.ts';

const lookMs = 1_000;

/** Reports the results of creating structure. @param table by its target name */
type Tell = (level: 'info' | 'warning', sentence: string, table: string | null) => void;

/** What the target lacks of the initial structure of a job that follows; the job continues without it. */
export interface Unmade {
  /** Names of target tables whose new columns a lock keeps out for now. */
  late: ReadonlySet<string>;
  /** Why target tables are missing, or lack a column, by their names. */
  tables: ReadonlyMap<string, EngineError>;
  /** Why the first of the extensions, types and collations that tables need is missing. */
  type: EngineError | undefined;
}

export const nothingUnmade: Unmade = { late: new Set(), tables: new Map(), type: undefined };

/** Creates the structure of one job, and reports it. */
export class JobStructure {
  readonly #spec: JobSpec;
  readonly #source: Source;
  readonly #sink: Sink;
  readonly #tell: Tell;

  constructor(spec: JobSpec, { source, sink }: { source: Source; sink: Sink }, tell: Tell) {
    this.#spec = spec;
    this.#source = source;
    this.#sink = sink;
    this.#tell = tell;
  }

  /**
   * Creates everything in a phase for a job that ends on its own: what a lock keeps out is left to the next process,
   * since the job is not complete without it, nor without a table, a column, or a column's type.
   * @throws EngineError
   */
  async make(phase: Statement['phase']): Promise<void> {
    const refused = await this.#make({ phase });
    this.#tellRefused(refused.filter((one) => !isNeeded(one)));
    const needed = refused.find(isNeeded);
    if (needed) throw needed.error;
  }

  /**
   * Creates the initial structure of a job that follows.
   * @param settled ids of source tables whose target table stays as it is, if it exists
   */
  async begin(settled: ReadonlySet<string>): Promise<Unmade> {
    const refused = await this.#make({ phase: 'before', settled });
    this.#tellRefused(refused);
    const late = refused.filter((one) => one.statement.kind === 'column' && isLockedOut(one));
    const tables = refused.filter((one) => isOfColumns(one) && !isLockedOut(one));
    return {
      late: new Set(late.map(({ statement }) => statement.table)),
      tables: new Map(tables.map(({ statement, error }) => [statement.table, error])),
      type: refused.find(({ statement }) => statement.kind === 'type')?.error,
    };
  }

  /** Indexes, checks and foreign keys hold once no chunk is newer than the stream; what a lock keeps out is retried. */
  async finish(job: RunningJob): Promise<void> {
    const told = new Map<string, boolean>();
    for (let pauseMs = firstPauseMs; ; pauseMs = longerPause(pauseMs)) {
      while (job.tables.size === 0 || !tablesOf(job).every(isReadyOrWaits)) await job.clock.wait(lookMs);
      let isCopiedAgain = false;
      const isReady = ({ kind, table, sql }: Statement) => {
        if (told.get(sql) === false) return false;
        // A foreign key needs both of its tables.
        const its = tablesOf(job).filter(({ route }) => kind === 'foreign-key' || tableName(route.target) === table);
        // Tables that wait get theirs at the next start.
        if (its.some(({ isSkipped }) => isSkipped)) return false;
        const isLive = its.every(isReadyOrWaits);
        isCopiedAgain ||= !isLive;
        return isLive;
      };
      const begun = (missing: readonly Statement[]) => this.#tellBegun(missing.filter(({ sql }) => !told.has(sql)));
      const making = (statement: Statement | undefined) => {
        job.making = statement;
      };
      // A foreign key that acts on job rows would refuse them by order, or delete rows when others are only replaced.
      const takesForeignKeys = (await this.#sink.rests?.()) ?? true;
      const all = await this.#make({ phase: 'after', isReady, takesForeignKeys, begun, making });
      // Rows of a table that is copied again are of different moments.
      const refused = all.filter(({ statement, error }) => !(isUniqueRefused(error) && !isReady(statement)));
      this.#tellRefused(refused.filter((one) => told.get(one.statement.sql) !== isLockedOut(one)));
      if (!refused.some(isLockedOut) && !isCopiedAgain) return;
      for (const one of refused) told.set(one.statement.sql, isLockedOut(one));
      await job.clock.wait(pauseMs);
    }
  }

  /** For large tables it takes hours until they are reported as created. */
  #tellBegun(missing: readonly Statement[]): void {
    const count = missing.filter(({ kind }) => kind !== 'sequence').length;
    if (count > 0)
      this.#tell('info', `Indexes and constraints are being created at the target (${statements(count)}).`, null);
  }

  async #make(wanted: StructureToMake): Promise<RefusedStatement[]> {
    const { made, refused } = await makeStructure(this.#source, this.#sink, this.#spec, wanted);
    const kinds =
      wanted.phase === 'before'
        ? 'Schemas, tables and keys were created'
        : 'Indexes, constraints and sequences were created';
    if (made > 0) this.#tell('info', `${kinds} at the target (${statements(made)}).`, null);
    return refused;
  }

  #tellRefused(refused: readonly RefusedStatement[]): void {
    for (const { statement, error } of refused) {
      const { kind, table, makes } = statement;
      const isType = kind === 'type';
      const isLater = isLockedOut({ statement, error }) || error.code === 'TRIGGER_IN_THE_WAY';
      const what = isType ? `the ${makes?.kind ?? kind} ${table}` : `the ${kind.replace('-', ' ')} of ${table}`;
      const hint = kind === 'table' || isType ? ` ${error.hint}` : '';
      const then = error.code === 'TRIGGER_IN_THE_WAY' ? startsAgain : error.hint;
      const sentence = isLater
        ? `The target does not have ${what} yet: ${error.message} ${then}`
        : `The target refuses ${what}: ${error.message}${hint}`;
      this.#tell('warning', sentence, isType ? null : table);
    }
  }
}

const startsAgain = 'Allow the user to set session_replication_role, then restart the job.';

/** Whether a lock on the statement's table prevents it, so that it can be created later. */
const isLockedOut = ({ error }: RefusedStatement) => error.retry === 'timed';

const isOfColumns = ({ statement: { kind } }: RefusedStatement) => kind === 'table' || kind === 'column';

const isNeeded = (one: RefusedStatement) =>
  isLockedOut(one) || isOfColumns(one) || (one.statement.kind === 'type' && one.statement.phase === 'before');

const tablesOf = ({ tables }: RunningJob) => [...tables.values()];

const isReadyOrWaits = ({ isSkipped, mark }: TableProgress) => isSkipped || mark.state === 'live';

const statements = (count: number) => `${count} ${count === 1 ? 'statement' : 'statements'}`;
