import { z } from 'zod';
import type { PracticePair } from '../../../client/contract/jobs/live-events.ts';
import { takeOwnTurn } from '../../console/account/take-turn.ts';
import { storeJob } from '../actions/create.ts';
import { storeDataSource } from '../data-sources.ts';
import { JobError } from '../errors.ts';
import { randomName } from '../ids.ts';
import { newJobSchema } from '../new-job.ts';
import type { JobServices } from '../services.ts';
import { practiceFile, practiceTables } from './files.ts';

const mostPairs = 3;
const countRow = z.object({ n: z.number() });

/** Creates a job between two SQLite files that starts at once; the supervisor creates and fills the files. */
export async function createPractice(services: JobServices, uid: string): Promise<PracticePair> {
  const { database, secretKey, jobs, now } = services;
  const card = jobs.cards.find(({ family }) => family === 'sqlite');
  if (!card) throw new JobError('NOT_OFFERED');
  const name = randomName('canal', 11);
  const labels = {
    deployType: 'SELF_MAINTENANCE',
    region: '',
    hostType: 'PRIVATE',
    securityType: 'NONE',
    version: '',
  } as const;
  const pair = await database.transaction(async (queries) => {
    await takeOwnTurn(queries, uid);
    const count = await queries.one(countRow, 'SELECT count(*) AS n FROM data_job WHERE uid = $1 AND practice = 1', [
      uid,
    ]);
    if ((count?.n ?? 0) >= mostPairs)
      throw new JobError('TOO_MANY', `There are already ${mostPairs} practice pairs: delete one first.`);
    const store = (side: 'source' | 'target') =>
      storeDataSource(queries, secretKey, {
        uid,
        card,
        description: `Practice ${side}`,
        settings: { file: practiceFile(name, side) },
        labels,
        practice: true,
        now: now(),
      });
    const sourceId = await store('source');
    const targetId = await store('target');
    const raw = practiceRequest(sourceId, targetId);
    const jobId = await storeJob(queries, { uid, request: newJobSchema.parse(raw), raw }, name, now(), true);
    return { jobId, sourceId, targetId };
  });
  jobs.wake();
  return pair;
}

function practiceRequest(srcDsId: number, dstDsId: number) {
  return {
    clusterId: 1,
    srcDsId,
    dstDsId,
    srcHostType: 'PRIVATE',
    dstHostType: 'PRIVATE',
    srcSchema: JSON.stringify([{ db: '', tables: practiceTables.map((table) => ({ table })) }]),
    dstSchema: '',
    mappingDef: '[]',
    jobType: 'SYNC',
    specId: 0,
    structMigration: true,
    initialSync: true,
    filterDDL: false,
    srcDsCharset: '',
    tarDsCharset: '',
    dataJobDesc: 'Practice pair',
    autoStart: true,
  };
}
