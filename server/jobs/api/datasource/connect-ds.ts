import { z } from 'zod';
import { findingsAnswer } from '../../answers.ts';
import { JobError } from '../../errors.ts';
import { presentFindings } from '../../present-findings.ts';
import { openCall } from '../define-job-call.ts';
import { askedSide, connectFields, exampleConnect } from './data-source-id.ts';

export const connectDataSource = openCall(
  'datasource/connectds',
  {
    summary: 'Connects to a data source and says its version and what is missing.',
    body: z.object(connectFields),
    example: exampleConnect,
  },
  async ({ dataSourceId }, { uid }, services) => {
    const side = await askedSide(services, uid, dataSourceId);
    const note = (success: boolean, sentence: string) =>
      services.database.run('UPDATE data_source SET tested = $1 WHERE id = $2', [
        JSON.stringify({ at: services.now(), success, sentence }),
        dataSourceId,
      ]);
    try {
      const findings = await services.jobs.ask({ kind: 'test', side }, findingsAnswer);
      const [worst = findings[0]] = findings.filter(({ result }) => result === 'fault');
      await note(worst?.result !== 'fault', worst?.sentence ?? 'The system answers.');
      return presentFindings(services, findings);
    } catch (error) {
      if (error instanceof JobError) await note(false, error.message);
      throw error;
    }
  },
);
