import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { findingSchema } from '../../../../client/contract/jobs/new-job.ts';
import { findingsAnswer } from '../../answers.ts';
import { dataSourceOf } from '../../data-sources.ts';
import { JobError } from '../../errors.ts';
import { presentFindings } from '../../present-findings.ts';
import { sideOf } from '../../spec.ts';
import { openCall } from '../define-job-call.ts';
import { connectFields, exampleConnect } from './data-source-id.ts';

export const connectDataSource = openCall(
  'datasource/connectds',
  {
    summary: 'Connects to a data source and reports its version and what is missing.',
    body: z.object(connectFields),
    example: exampleConnect,
    data: z.array(findingSchema),
  },
  async ({ dataSourceId }, { uid }, services) => {
    const { database } = services;
    const asked = await dataSourceOf(database, uid, dataSourceId);
    const side = sideOf(services, asked);
    const note = (success: boolean, sentence: string) =>
      database.transaction(async (queries) => {
        const tested = JSON.stringify({ at: services.now(), success, sentence });
        await queries.run('UPDATE data_source SET tested = NULL WHERE id = $1', [asked.id]);
        const { settings, secrets } = await dataSourceOf(queries, uid, dataSourceId);
        // Settings that came meanwhile were not tested.
        if (!isDeepStrictEqual([settings, secrets], [asked.settings, asked.secrets])) return;
        await queries.run('UPDATE data_source SET tested = $1 WHERE id = $2', [tested, asked.id]);
      });
    try {
      const findings = await services.jobs.ask(uid, { kind: 'test', side }, findingsAnswer);
      const [worst = findings[0]] = findings.filter(({ result }) => result === 'fault');
      await note(worst?.result !== 'fault', worst?.sentence ?? 'The system answers.');
      return presentFindings(services, findings);
    } catch (error) {
      if (error instanceof JobError) await note(false, error.message);
      throw error;
    }
  },
);
