import { defaultLimits } from '../../engine/flow/running-job.ts';

// The unchanged job process, with limits that the rig's small tables reach: several chunks per table, and slices of a
// transaction of 10,000 rows.
Object.assign(defaultLimits, { chunkRows: 1_000, sliceBytes: 250_000 } satisfies Partial<typeof defaultLimits>);
await import('../../engine/main.ts');
