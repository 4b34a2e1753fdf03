import { z } from 'zod';
import { id } from '../fields.ts';

/** A body that names a job alone. */
export const jobIdBody = z.object({ jobId: id });
export const exampleJobId = { jobId: 1 };
