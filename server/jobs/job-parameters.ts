import type { NewJob } from './new-job.ts';
import { sizes } from './sizes.ts';

interface JobParameter {
  name: string;
  description: string;
  /** Allowed values, for people. */
  range: string;
  standard: string;
  /** The request field that holds it. */
  field: keyof NewJob;
  read(request: NewJob): string;
  write(value: string): unknown;
}

/** Parameters that can be changed after a job was created; they apply from its next start. */
export const jobParameters: readonly JobParameter[] = [
  {
    name: 'specId',
    description: 'Memory of the job process.',
    range: `0 (256 MB), ${sizes.map(({ id, memoryMb }) => `${id} (${memoryMb} MB)`).join(', ')}`,
    standard: '0',
    field: 'specId',
    read: ({ specId }) => String(specId),
    write: (value) => (value === '0' || sizes.some(({ id }) => String(id) === value) ? Number(value) : null),
  },
  {
    name: 'parallel',
    description: 'Chunks that are copied at the same time.',
    range: '1 to 16',
    standard: '4',
    field: 'parallel',
    read: ({ parallel }) => String(parallel),
    write: Number,
  },
  {
    name: 'keyConflictStrategy',
    description: 'What happens to rows that the target has before the first chunk.',
    range: 'IGNORE, REPLACE',
    standard: 'IGNORE',
    field: 'keyConflictStrategy',
    read: ({ keyConflictStrategy }) => keyConflictStrategy || 'IGNORE',
    write: (value) => value,
  },
  {
    name: 'ddl',
    description: 'What happens when the structure changes at the source.',
    range: 'safe, ignore, stop',
    standard: 'safe',
    field: 'ddl',
    read: ({ ddl, filterDDL }) => ddl ?? (filterDDL ? 'ignore' : 'safe'),
    write: (value) => value,
  },
];
