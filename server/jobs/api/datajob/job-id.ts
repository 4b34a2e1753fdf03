import { z } from 'zod';
import { id } from '../../request-fields.ts';

/** A body that only names a job. */
export const jobIdBody = z.object({ jobId: id });
export const exampleJobId = { jobId: 1 };
