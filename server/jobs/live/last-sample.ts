import type { JobSample } from '../../../client/contract/jobs/jobs.ts';
import { sampleSchema } from '../../engine/protocol.ts';

/** The last sample of a job as its child sent it. */
export function lastSample(text: string | null): JobSample | undefined {
  return text === null ? undefined : sampleSchema.parse(JSON.parse(text));
}
