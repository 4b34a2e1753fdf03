import { z } from 'zod';
import { type Family, familySchema } from '../../../../client/contract/jobs/data-sources.ts';
import { innerCall } from '../define-job-call.ts';

const jsonSchema = z.record(z.string(), z.unknown());

export const listFamilies = innerCall(
  'job/families',
  {
    summary: 'Kinds of systems that jobs can read or write, with their settings as JSON Schema.',
    body: z.strictObject({}),
    data: z.array(familySchema),
  },
  async (_body, _caller, { jobs }) =>
    jobs.cards.map(
      ({ family, name, source, target, settings, secrets }): Family => ({
        family,
        name,
        source,
        target,
        targets: source && target ? [family] : [],
        settings: jsonSchema.parse(z.toJSONSchema(settings, { io: 'input' })),
        secrets: [...secrets],
      }),
    ),
);
