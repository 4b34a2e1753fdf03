import type { JobSpec, TableSelection } from '../engine/job.ts';
import { newJob, settingsOf } from './postgres-source.ts';

/** Whole tables that keep their names. @param target the schema there, where it has another name */
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

/** A job that makes tables, copies and follows them, as far as a test wants nothing else. */
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

/** A side of a job by the address of its database. */
export function postgresSide(url: string): JobSpec['source'] {
  return { family: 'postgresql', settings: settingsOf(url) };
}

/** A side of a job by the folder of its SQLite file. */
export function sqliteSide(folder: string, file: string): JobSpec['source'] {
  return { family: 'sqlite', settings: { folder, file } };
}
