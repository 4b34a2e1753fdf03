import type { JobType } from '../../contract/jobs/jobs.ts';
import type { MappingRule } from '../../contract/jobs/new-job.ts';

type Letters = NonNullable<MappingRule['commonGenRule']>;

/** The choices for a job that does not exist yet; text only, so it can be kept as a draft. */
export interface JobDraft {
  source: string;
  target: string;
  /** Database on each side; empty if the data source is itself a database. */
  sourceDb: string;
  targetDb: string;
  /** The target's schema; empty: same names as at the source. */
  targetSchema: string;
  /**
   * Lines of `schema.table`, or `table` without schemas; an asterisk stands for any characters of the table name.
   * A line that starts with an exclamation mark leaves out what it names.
   */
  tables: string;
  /** Lines of `schema.table: column, column`; a column that starts with an exclamation mark is left out. */
  columns: string;
  /** Lines of `schema.table: condition`. */
  filters: string;
  /** Lines of `schema.table -> name` and `schema.table.column -> name`. */
  names: string;
  /** The letter case of all other names at the target. */
  letters: Letters;
  /** Whether new tables that match a pattern are added later. */
  addNew: 'yes' | 'no';
  type: JobType;
  structure: 'yes' | 'no';
  initialLoad: 'yes' | 'no';
  ddl: 'safe' | 'ignore' | 'stop';
  conflict: 'REPLACE' | 'IGNORE';
  name: string;
}

export const emptyDraft: JobDraft = {
  source: '',
  target: '',
  sourceDb: '',
  targetDb: '',
  targetSchema: '',
  tables: '',
  columns: '',
  filters: '',
  names: '',
  letters: 'MIRROR',
  addNew: 'no',
  type: 'SYNC',
  structure: 'yes',
  initialLoad: 'yes',
  ddl: 'safe',
  conflict: 'REPLACE',
  name: '',
};

/** A draft from its kept form; a choice that this version does not offer falls back to that of a new job. */
export function draftFromKept(kept: Record<string, string>): JobDraft {
  const chosen = <Name extends keyof JobDraft>(name: Name, offered: readonly JobDraft[Name][]) =>
    offered.find((one) => one === kept[name]) ?? emptyDraft[name];
  const { source, target, sourceDb, targetDb, targetSchema, tables, columns, filters, names, name } = {
    ...emptyDraft,
    ...kept,
  };
  return {
    ...{ source, target, sourceDb, targetDb, targetSchema, tables, columns, filters, names, name },
    letters: chosen('letters', ['MIRROR', 'TO_LOWER_CASE', 'TO_UPPER_CASE']),
    addNew: chosen('addNew', ['yes', 'no']),
    type: chosen('type', ['SYNC', 'MIGRATION', 'STRUCT_MIGRATION']),
    structure: chosen('structure', ['yes', 'no']),
    initialLoad: chosen('initialLoad', ['yes', 'no']),
    ddl: chosen('ddl', ['safe', 'ignore', 'stop']),
    conflict: chosen('conflict', ['REPLACE', 'IGNORE']),
  };
}
