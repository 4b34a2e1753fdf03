import { join } from 'node:path';
import type { JobSpec, TableSelection } from '../engine/job.ts';
import type { Table } from '../engine/table.ts';
import { catalogAnswer } from './answers.ts';
import type { Asker } from './ask-turns.ts';
import { type DataSourceRow, dataSourceOf, openSettings } from './data-sources.ts';
import { JobError } from './errors.ts';
import { type JobRow, jobRow } from './jobs.ts';
import { namesUnderTables, requireKnownNames } from './known-names.ts';
import { addsNewTables, type NewJob } from './new-job.ts';
import type { RowServices } from './readable-rows.ts';
import {
  isSpelledOut,
  patternSchemas,
  readSelection,
  requireAllActions,
  type Selection,
  selectTables,
} from './selection.ts';
import type { JobServices } from './services.ts';

/** One side of a job for a child process, with its secrets in plain text. */
export function sideOf(services: JobServices, source: DataSourceRow, database = ''): JobSpec['source'] {
  const settings = openSettings(services.secretKey, source);
  if (source.family === 'sqlite') {
    return { family: source.family, settings: { ...settings, folder: filesOf(services, source) } };
  }
  return { family: source.family, settings: { ...settings, ...(database !== '' && { database }) } };
}

/** The folder of files that a data source may open: if accounts do not share the installation, each has its own. */
function filesOf({ config, jobs }: JobServices, { uid, practice }: DataSourceRow): string {
  if (practice) return join(jobs.filesDir, 'practice');
  return config.jobsFor === 'all' ? join(jobs.filesDir, 'accounts', uid) : jobs.filesDir;
}

interface WantedJob {
  uid: string;
  name: string;
  request: NewJob;
  tables: readonly TableSelection[];
}

/** Everything that a child process needs. @throws JobError if a data source is gone or the pair is not offered */
export async function buildSpec(services: JobServices, wanted: WantedJob): Promise<JobSpec> {
  const { request, uid } = wanted;
  const { source, target, type } = await pairOf(services, uid, request);
  const selection = readSelection(request);
  const { sourceDatabase, targetDatabase } = selection;
  const newTablesIn = addsNewTables(request) ? patternSchemas(selection) : [];
  return {
    id: wanted.name,
    type,
    source: sideOf(services, source, sourceDatabase),
    target: sideOf(services, target, targetDatabase),
    structure: type === 'STRUCT_MIGRATION' || request.structMigration,
    initialLoad: request.initialSync,
    tables: [...wanted.tables],
    ...(newTablesIn.length > 0 && { newTablesIn }),
    ddl: request.ddl ?? (request.filterDDL ? 'ignore' : 'safe'),
    conflict: request.keyConflictStrategy === 'REPLACE' ? 'replace' : 'ignore',
    parallel: request.parallel,
  };
}

/** The spec of a job that has been created. */
export async function specOf(services: JobServices, job: JobRow): Promise<JobSpec> {
  if (!job.tables) throw new JobError('NOT_POSSIBLE', 'The tables of the job are not known yet.');
  const { uid, name, request, tables, replayed, has_checkpoint: hasCheckpoint } = job;
  const spec = await buildSpec(services, { uid, name, request: request.wanted, tables });
  return { ...spec, ...(replayed && { replays: true }), ...(hasCheckpoint && { hasCheckpoint }) };
}

/** Both sides of a request. @throws JobError NOT_OFFERED with what is offered */
export async function pairOf({ database, jobs }: RowServices, uid: string, request: NewJob) {
  const source = await dataSourceOf(database, uid, request.srcDsId);
  const target = await dataSourceOf(database, uid, request.dstDsId);
  const type = jobRow.shape.type.safeParse(request.jobType);
  if (!type.success) {
    throw new JobError(
      'NOT_OFFERED',
      'Jobs of this type are not offered yet: choose STRUCT_MIGRATION, MIGRATION or SYNC.',
    );
  }
  const [from, to] = [source, target].map(({ family }) => jobs.cards.find((card) => card.family === family));
  if (!from?.source || !to?.target || from.family !== to.family) {
    throw new JobError(
      'NOT_OFFERED',
      `Jobs from ${from?.name ?? source.family} to ${to?.name ?? target.family} are not offered yet: both sides must be the same kind of system.`,
    );
  }
  if (source.id === target.id && request.mappingDef.length === 0) {
    throw new JobError('BAD_VALUE', 'Source and target are the same: choose another target or other names there.');
  }
  return { source, target, type: type.data };
}

/**
 * Clients mostly mean the database of the target's data source, which may have another name than the source's.
 * @throws JobError BAD_VALUE if the request names no target database, and would write to another one
 */
export function requireTargetDatabase(
  { targetDatabase, namesTarget }: Selection,
  { settings: { database } }: DataSourceRow,
): void {
  if (namesTarget || targetDatabase === '' || typeof database !== 'string' || database === targetDatabase) return;
  const dstSchema = JSON.stringify([{ db: database }]);
  throw new JobError(
    'BAD_VALUE',
    `The job names no target database, and would write to ${targetDatabase}, as the source's is called; the target data source is ${database}. Name it, as dstSchema ${dstSchema}.`,
  );
}

/**
 * The tables that a request selects; the source is asked only for names that the request leaves open.
 * @throws JobError BAD_VALUE, also for what the request names and the source does not have
 */
export async function resolveTables(
  services: JobServices,
  uid: string,
  request: NewJob,
  asker: Asker = 'visitors',
): Promise<TableSelection[]> {
  requireAllActions(request);
  const selection = readSelection(request);
  const { source, target } = await pairOf(services, uid, request);
  requireTargetDatabase(selection, target);
  let catalog: readonly Table[] = [];
  if (!isSpelledOut(selection) || namesUnderTables(request, selection)) {
    const side = sideOf(services, source, selection.sourceDatabase);
    const schemas = selection.schemas.map(({ schema }) => schema);
    catalog = await services.jobs.ask(uid, { kind: 'catalog', side, schemas }, catalogAnswer, { asker });
  }
  const tables = selectTables(request, selection, catalog);
  requireKnownNames(request, selection, tables, catalog);
  return tables;
}
