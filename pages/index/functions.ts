/** The eight functions of a job, as the home page tells them. */
export interface JobFunction {
  id: 'full' | 'incremental' | 'schema' | 'processing' | 'verification' | 'correction' | 'two-way' | 'monitoring';
  name: string;
  text: string;
  ticks: string[];
  href: string;
  linkLabel: string;
}

const create = '/docs/operation/job_manage/create_job';

export const functions: JobFunction[] = [
  {
    id: 'full',
    name: 'Full load',
    text: 'Every row that exists is read once and written in batches, once or on a schedule.',
    ticks: [
      'Tables and key ranges are read in parallel',
      'The change position is taken before the load, so that changes made meanwhile follow',
      'A key that exists on the target is replaced or left, as you choose',
    ],
    href: `${create}/create_full_incre_task`,
    linkLabel: 'Job with load and changes',
  },
  {
    id: 'incremental',
    name: 'Change sync',
    text: 'Inserts, updates and deletes are read from the source’s log and applied in their order.',
    ticks: [
      'Binary log, WAL, redo log or oplog; tables are not polled',
      'Changes of one key keep their order, different keys are written side by side',
      'The position is stored after the target has confirmed',
    ],
    href: '/docs/intro/product_arch',
    linkLabel: 'How a change travels',
  },
  {
    id: 'schema',
    name: 'Schema',
    text: 'What the target lacks is created from the source’s definitions, with types mapped for the pair.',
    ticks: [
      'Databases, schemas, tables and topics',
      'Proposed column types are shown before the job is created',
      'Objects that exist on the target are left as they are',
    ],
    href: `${create}/create_full_incre_task`,
    linkLabel: 'Options of a job',
  },
  {
    id: 'processing',
    name: 'Processing',
    text: 'Rows are filtered, renamed and changed between reading and writing, in the load and in live changes.',
    ticks: [
      'Row filters and column mapping without code',
      'Transform scripts for casts, conditions and constants',
      'Java code of your own for look-ups and rules over several columns',
    ],
    href: `${create}/create_process_job`,
    linkLabel: 'Custom code',
  },
  {
    id: 'verification',
    name: 'Verification',
    text: 'Both sides are read and compared by key. The report names rows that are missing or have other values.',
    ticks: [
      'Rows that differ are looked at a second time, as their change may be on its way',
      'Once, after the load has caught up, or by a cron schedule',
      'Differences are listed with both values, column by column',
    ],
    href: `${create}/create_period_verification_correction_job`,
    linkLabel: 'Compare and repair',
  },
  {
    id: 'correction',
    name: 'Correction',
    text: 'Rows that verification found are read again from the source and written to the target.',
    ticks: [
      'Automatic, or by hand after you have read the report',
      'Only listed rows are written, nothing else is touched',
      'No row is deleted on the target',
    ],
    href: `${create}/create_period_verification_correction_job`,
    linkLabel: 'Compare and repair',
  },
  {
    id: 'two-way',
    name: 'Two-way',
    text: 'Two jobs in opposite directions keep two sites in step. Each drops the changes that the other one wrote.',
    ticks: [
      'A marker in every transaction stops echoes',
      'Key ranges for each site keep new rows apart',
      'Conflicts are avoided by one owner for each row, and not resolved by rules',
    ],
    href: '/docs/bestPractice/mysql_loop_data_sync',
    linkLabel: 'Two-way MySQL',
  },
  {
    id: 'monitoring',
    name: 'Monitoring',
    text: 'Phase, delay, position and throughput of every job, with alerts to the people who look after it.',
    ticks: [
      'Charts show which part of a job is slow',
      'Alerts by mail, messenger or your own web hook',
      'A failed task is started again; a lost worker’s tasks move to another one',
    ],
    href: '/docs/operation/job_manage/job_op/job_monitor',
    linkLabel: 'Job charts',
  },
];
