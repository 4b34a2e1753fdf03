import { expect, test } from 'vitest';
import type { DataSource } from '../../contract/jobs/data-sources.ts';
import type { Job } from '../../contract/jobs/jobs.ts';
import { draftLike, emptyDraft, type JobDraft, newJobOf } from './draft.ts';

const sources = [1, 2].map((id) => ({ id, hostType: 'PRIVATE' })) as DataSource[];
const chosen: JobDraft = {
  ...emptyDraft,
  source: '1',
  target: '2',
  sourceDb: 'shop',
  targetDb: 'warehouse',
  targetSchema: 'copy',
  tables: 'public.orders\nsales.lines',
  structure: 'no',
  ddl: 'stop',
  conflict: 'IGNORE',
};

/** The job that the server makes of a request, as far as a duplicate reads it. */
function jobOf(draft: JobDraft): Job {
  const request = newJobOf(draft, sources);
  return {
    sourceDsVO: { id: request?.srcDsId },
    targetDsVO: { id: request?.dstDsId, database: 'other' },
    sourceSchema: request?.srcSchema,
    mappingConfig: request?.mappingDef,
    dataJobType: request?.jobType,
    structMigration: request?.structMigration,
    initialSync: request?.initialSync,
    ddl: request?.ddl,
    keyConflictStrategy: request?.keyConflictStrategy,
  } as Job;
}

test('a duplicate has every choice of its model but the name', () => {
  expect({ ...emptyDraft, ...draftLike(jobOf(chosen)) }).toEqual(chosen);
});

test('without another name at the target a duplicate has that of the data source', () => {
  const plain: JobDraft = { ...chosen, targetDb: 'shop', targetSchema: '' };
  expect(draftLike(jobOf(plain))).toMatchObject({ targetDb: 'other', targetSchema: '' });
});
