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

/** Tells people what became of the structure. @param table by its name at the target */
type Tell = (level: 'info' | 'warning', sentence: string, table: string | null) => void;

/** What the target does not have of what a job that follows begins with; the job goes on without it. */
export interface Unmade {
  /** Names of target tables whose new columns a lock keeps out for now. */
  late: ReadonlySet<string>;
  /** Why target tables are not there, or lack a column, by their names. */
  tables: ReadonlyMap<string, EngineError>;
  /** Why the first of the extensions, types and collations that tables need is not there. */
  type: EngineError | undefined;
}

export const nothingUnmade: Unmade = { late: new Set(), tables: new Map(), type: undefined };

/** Makes the structure of one job, and tells it. */
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
   * Makes all of a phase for a job that ends by itself: what a lock keeps from the target is the next process's, since
   * nothing is complete without it, nor without a table, a column, or a type of one.
   * @throws EngineError
   */
  async make(phase: Statement['phase']): Promise<void> {
    const refused = await this.#make({ phase });
    this.#tellRefused(refused.filter((one) => !isNeeded(one)));
    const needed = refused.find(isNeeded);
    if (needed) throw needed.error;
  }

  /**
   * Makes what a job that follows begins with.
   * @param settled ids of the source's tables whose target stays as it is, where it is there
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

  /** Indexes, checks and foreign keys hold once no chunk is newer than the stream; what a lock keeps out is tried again. */
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
      // One that acts on rows of the job would refuse them by its order, or delete others with those that are only replaced.
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

  /** Of large tables it takes hours until they are told to be made. */
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
      const what = isType ? `the ${makes?.kind ?? kind} ${table}` : `the ${kind} of ${table}`;
      const hint = kind === 'table' || isType ? ` ${error.hint}` : '';
      const sentence = isLater
        ? `The target does not have ${what} yet: ${error.message} ${error.hint}`
        : `The target refuses ${what}: ${error.message}${hint}`;
      this.#tell('warning', sentence, isType ? null : table);
    }
  }
}

/** Whether somebody has locked the statement's table, so that it can be made later. */
const isLockedOut = ({ error }: RefusedStatement) => error.retry === 'timed';

const isOfColumns = ({ statement: { kind } }: RefusedStatement) => kind === 'table' || kind === 'column';

const isNeeded = (one: RefusedStatement) =>
  isLockedOut(one) || isOfColumns(one) || (one.statement.kind === 'type' && one.statement.phase === 'before');

const tablesOf = ({ tables }: RunningJob) => [...tables.values()];

const isReadyOrWaits = ({ isSkipped, mark }: TableProgress) => isSkipped || mark.state === 'live';

const statements = (count: number) => `${count} ${count === 1 ? 'statement' : 'statements'}`;
