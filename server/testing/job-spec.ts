import type { JobSpec, TableSelection } from '../engine/job.ts';
import { newJob, settingsOf } from './postgres-source.ts';

/** Whole tables that keep their names. @param target the schema there, when its name differs */
export function wholeTables(names: readonly string[], schema = 'public', target = schema): TableSelection[] {
  return names.map((name) => ({
    schema,
    name,
    target: { schema: target, name },
    columns: null,
    renamed: {},
    filter: null,
  }));
}

/** A job that creates, copies and follows tables, unless a test specifies otherwise. */
export function jobSpec(wanted: Pick<JobSpec, 'source' | 'target' | 'tables'> & Partial<JobSpec>): JobSpec {
  return {
    id: newJob(),
    type: 'SYNC',
    structure: true,
    initialLoad: true,
    ddl: 'safe',
    conflict: 'replace',
    parallel: 2,
    ...wanted,
  };
}

/** A job's side, by its database's address. */
export function postgresSide(url: string): JobSpec['source'] {
  return { family: 'postgresql', settings: settingsOf(url) };
}

/** A job's side, by its SQLite file's folder. */
export function sqliteSide(folder: string, file: string): JobSpec['source'] {
  return { family: 'sqlite', settings: { folder, file } };
}
