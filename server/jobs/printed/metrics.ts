import type { JobSample } from '../../../client/contract/jobs/jobs.ts';
import { code, markdownTable } from './markdown-table.ts';

const sampleMeanings: Readonly<Record<keyof JobSample, string>> = {
  at: 'End of the interval, in epoch milliseconds.',
  spanMs: 'Length of the interval in ms: 10 000 for a day, 300 000 for a month.',
  copied: 'Rows copied that the target has committed.',
  applied: 'Rows changed that the target has committed.',
  transactions: 'Source transactions that were applied.',
  bytes: 'Bytes of values that were written.',
  lagMs:
    'Largest replication lag of the interval in ms: age of the newest applied commit while changes wait, 0 when the target has everything.',
  waitedForSourceMs: 'Time that the job waited for the source.',
  waitedForTargetMs: 'Time that the job waited for the target.',
  position: 'Newest source position that the target holds.',
  retainedBytes: 'Bytes of log that the source keeps for this job; none if it cannot say.',
  logRoomBytes:
    'Bytes of log that the source may still keep before it gives up the slot; none if it has no such limit.',
  memoryBytes: 'Largest memory of the job process (RSS).',
};

/** The table of `::metrics{of=job.sample}`. */
export function sampleTable(): string {
  return markdownTable(
    ['Metric', 'Meaning'],
    Object.entries(sampleMeanings).map(([name, meaning]) => [code(name), meaning]),
  );
}
