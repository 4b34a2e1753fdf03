import { counted } from '../../contract/counted.ts';
import type { DataSource } from '../../contract/jobs/data-sources.ts';
import type { Job, JobAction, JobSample, JobSide, ParkedRow, Phase, TableState } from '../../contract/jobs/jobs.ts';
import type { Tone } from '../parts/State.tsx';

/** A job that is further behind than this is late: Millrace is built for less. */
export const lateMs = 3_000;

const count = new Intl.NumberFormat('en-US');
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

export const rows = (number: number) => count.format(number);
export const shortRows = (number: number) => short.format(number);

/** The rate per second over a sample's stretch. */
export const perSecond = (number: number, { spanMs }: JobSample) => (spanMs > 0 ? (number * 1_000) / spanMs : 0);

/** 0 ms, 340 ms, 2.4 s, 12 min, 3 h. */
export function duration(ms: number): string {
  // Units are chosen after rounding: there are no 1000 ms, 60.0 s and 60 min.
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  if (Math.round(ms / 100) < 600) return `${(Math.round(ms / 100) / 10).toFixed(1)} s`;
  if (Math.round(ms / 60_000) < 60) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}

/** 512 B, 1.2 MB. */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = Math.round(bytes);
  let unit = 0;
  for (; Number(value.toFixed(1)) >= 1_000 && unit < units.length - 1; unit++) value /= 1_000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** The place in the source's log; a position may start with a prefix that says what it belongs to. */
export const placeOf = (position: string) => position.split(' ').at(-1);

const phaseWords: Record<Phase, string> = {
  CREATED: 'Not started',
  INIT: 'Structure',
  FULL: 'Initial load',
  CATCH_UP: 'Catching up',
  INCRE: 'Following',
  COMPLETE: 'Complete',
};

/** What a job does now, in a few words. */
export function stateOf(job: Job): { tone: Tone; label: string } {
  const { consoleTaskState, currTaskStatus, dataTaskState, lifeCycleState, fault, waitsFor } = job;
  const { blocked } = job.tables;
  if (lifeCycleState === 'CREATING' && consoleTaskState === 'FAILED')
    return { tone: 'bad', label: 'Could not be created' };
  if (lifeCycleState === 'CREATING') return { tone: 'waits', label: 'Being created' };
  if (lifeCycleState === 'DELETING') return { tone: 'waits', label: 'Being deleted' };
  if (lifeCycleState === 'LOCKED') return { tone: 'over', label: 'Detached' };
  if (waitsFor !== null) return { tone: 'waits', label: 'Waiting for a free place' };
  switch (currTaskStatus) {
    case 'RUNNING':
      // The other tables continue, and the blocked ones need manual action.
      if (blocked > 0)
        return { tone: 'bad', label: `${phaseWords[dataTaskState]}, ${counted(blocked, 'table')} blocked` };
      return { tone: 'good', label: phaseWords[dataTaskState] };
    case 'ABNORMAL':
      return { tone: 'bad', label: 'Needs your action' };
    case 'WAIT_RESTART':
      return { tone: fault ? 'bad' : 'waits', label: fault ? 'Trying again' : 'Restarting' };
    case 'WAIT_START':
      return { tone: 'waits', label: 'Starting' };
    case 'WAIT_STOP':
      return { tone: 'waits', label: 'Stopping' };
    case 'COMPLETE':
      return { tone: 'good', label: 'Complete' };
    case 'STOP':
      return { tone: 'over', label: 'Stopped' };
    default:
      return { tone: 'over', label: 'Not started' };
  }
}

/** Whether a job that has started is not running: it has no process, and none is about to start. */
export const standsStill = ({ currTaskStatus, fault, waitsFor }: Job) =>
  ['STOP', 'ABNORMAL'].includes(currTaskStatus) ||
  (currTaskStatus === 'WAIT_RESTART' && fault !== null) ||
  waitsFor !== null;

/** Jobs with trouble first, then running ones, then the rest; newest first within each. */
export function byTrouble(one: Job, other: Job): number {
  const weight = (job: Job) =>
    job.haveException || job.tables.blocked > 0 ? 0 : job.currTaskStatus === 'RUNNING' ? 1 : 2;
  return weight(one) - weight(other) || other.dataJobId - one.dataJobId;
}

export const tableWords: Record<TableState, { label: string; letter: string; tone: Tone }> = {
  waiting: { label: 'Waiting', letter: 'W', tone: 'over' },
  copying: { label: 'Copying', letter: 'C', tone: 'waits' },
  'catching-up': { label: 'Catching up', letter: 'U', tone: 'waits' },
  live: { label: 'Live', letter: 'L', tone: 'good' },
  done: { label: 'Copied', letter: 'D', tone: 'good' },
  paused: { label: 'Paused', letter: 'P', tone: 'over' },
  blocked: { label: 'Blocked', letter: 'B', tone: 'bad' },
  removed: { label: 'Removed', letter: 'R', tone: 'over' },
};

const moving: readonly TableState[] = ['copying', 'catching-up', 'live'];

/** What a table is doing now; nothing moves in the tables of a job that is not running. */
export function tableStateOf(state: TableState, job: Job): { label: string; tone: Tone } {
  const { label, tone } = tableWords[state];
  if (!moving.includes(state) || !standsStill(job)) return { label, tone };
  return { label: `${label} when it stopped`, tone: 'over' };
}

/** The operation for which the target refused a row. */
export const parkedWords: Record<ParkedRow['op'], string> = {
  upsert: 'Insert or update',
  update: 'Update',
  delete: 'Delete',
  move: 'Change of key',
  copy: 'Copy',
};

interface ActionWords {
  label: string;
  /** What the action will do, shown for confirmation first; if empty, the action runs at once. */
  warning: string;
}

/** What a job's page offers; `leaveRest` deletes a job whose deletion fails. */
export type OfferedAction = JobAction | 'leaveRest';

export const actionWords: Record<OfferedAction, ActionWords> = {
  activate: { label: 'Start', warning: '' },
  start: { label: 'Start', warning: '' },
  stop: { label: 'Stop', warning: '' },
  restart: { label: 'Restart', warning: '' },
  attach: { label: 'Attach', warning: '' },
  replay: {
    label: 'Replay',
    warning:
      'The job starts again from its first step: rows are copied again, and those that the source lacks are deleted from the target.',
  },
  detach: {
    label: 'Detach',
    warning:
      'The job’s process exits and frees its memory. The source keeps its log for the job, so its disk fills up until the job is attached or deleted.',
  },
  delete: {
    label: 'Delete',
    warning:
      'The job and everything it keeps on both sides are removed: replication slot, publication, triggers, checkpoint. The rows at the target stay.',
  },
  leaveRest: {
    label: 'Delete anyway',
    warning:
      'The job is deleted at once, and what it keeps on the side that cannot be reached stays there. The message on this page has the statements that remove it: a replication slot that stays makes the source keep its log until its disk is full.',
  },
};

/** A job's name where there is room for one line. */
export const titleOf = ({ dataJobDesc, dataJobName }: Job) => dataJobDesc || dataJobName;

/** The name of one side of a job. */
export const sideName = ({ instanceDesc, address }: JobSide) => instanceDesc || address;

/** The name of a data source. */
export const dataSourceName = ({ instanceDesc, instanceId }: DataSource) => instanceDesc || instanceId;

/** Where a side's data source is shown, tested and changed. */
export const sourceHref = ({ id }: JobSide) => `/console/data-sources?id=${id}`;
