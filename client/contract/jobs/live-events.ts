import { z } from 'zod';
import { jobEventSchema, jobSampleSchema, jobSchema, jobTableSchema } from './jobs.ts';

/**
 * What `B/job/events` sends, by kind: the SSE field `event` is the kind, `data` is this as JSON. The first event is
 * `jobs` with all of them; then one message per change. A comment line is sent every 10 s.
 */
export const liveEventSchemas = {
  jobs: z
    .object({ jobs: z.array(jobSchema) })
    .describe(
      'At the beginning: every job of the account, or the requested one; that again when tables of it are gone, as at a replay.',
    ),
  job: z.object({ job: jobSchema }).describe("A job's state, fault or table counts changed, or it is new."),
  deleted: z.object({ dataJobId: z.int() }),
  sample: z.object({ dataJobId: z.int(), sample: jobSampleSchema }),
  tables: z
    .object({ dataJobId: z.int(), tables: z.array(jobTableSchema) })
    .describe('Tables that changed; only when one job was requested.'),
  event: z.object({ dataJobId: z.int(), event: jobEventSchema }),
};
type Schemas = typeof liveEventSchemas;

export type LiveEvent = { [Kind in keyof Schemas]: { kind: Kind } & z.infer<Schemas[Kind]> }[keyof Schemas];

export const practicePairSchema = z
  .object({ jobId: z.int(), sourceId: z.int(), targetId: z.int() })
  .meta({ id: 'PracticePair' });
export type PracticePair = z.infer<typeof practicePairSchema>;
