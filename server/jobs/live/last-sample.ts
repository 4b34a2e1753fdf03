import { z } from 'zod';
import type { JobSample } from '../../../client/contract/jobs/jobs.ts';

const stored = z.object({
  at: z.number(),
  copied: z.number(),
  applied: z.number(),
  transactions: z.number(),
  bytes: z.number(),
  lagMs: z.number().nullable(),
  waitedForSourceMs: z.number(),
  waitedForTargetMs: z.number(),
  position: z.string().nullable(),
  retainedBytes: z.number().nullable(),
  memoryBytes: z.number(),
});

/** The last sample of a job as its child sent it; its length is that of the time since the one before. */
export function lastSample(text: string | null): JobSample | undefined {
  if (text === null) return undefined;
  return { ...stored.parse(JSON.parse(text)), spanMs: 0 };
}
