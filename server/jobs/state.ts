import {
  type JobAction,
  type JobStatus,
  jobActions,
  type LifeCycle,
  type Phase,
  phases,
} from '../../client/contract/jobs/jobs.ts';

/** The state of a job. */
export interface JobState {
  lifeCycle: LifeCycle;
  phase: Phase;
  status: JobStatus;
}

/** What the server itself does with a job, or sees happen to it. */
const jobHappenings = [
  'made',
  'rows retried',
  'put back',
  'forked',
  'stopped',
  'completed',
  'failed',
  'given up',
  'lost',
  'released',
] as const;
type JobHappening = (typeof jobHappenings)[number];

export type JobTrigger = JobAction | JobHappening;

interface Transition {
  on: JobTrigger;
  lifeCycle: LifeCycle;
  phases: readonly Phase[];
  statuses: readonly JobStatus[];
  to: Partial<JobState>;
}

const following: readonly Phase[] = ['CATCH_UP', 'INCRE'];
const unfinished: readonly Phase[] = ['CREATED', 'INIT', 'FULL', 'CATCH_UP', 'INCRE'];
/** Nothing runs or is about to. */
const resting: readonly JobStatus[] = ['STOP', 'ABNORMAL', 'COMPLETE'];
/** A complete job only runs for parked rows, and is complete again however that ends. */
const complete: readonly Phase[] = ['COMPLETE'];

/** Every change of state that a job can go through; all others are refused. The child reports the phase as it runs. */
export const transitions: readonly Transition[] = [
  { on: 'made', lifeCycle: 'CREATING', phases: ['CREATED'], statuses: ['INIT'], to: { lifeCycle: 'CREATED' } },

  {
    on: 'activate',
    lifeCycle: 'CREATED',
    phases: ['CREATED'],
    statuses: ['INIT'],
    to: { phase: 'INIT', status: 'WAIT_START' },
  },
  {
    on: 'start',
    lifeCycle: 'CREATED',
    phases: ['CREATED'],
    statuses: ['INIT'],
    to: { phase: 'INIT', status: 'WAIT_START' },
  },
  {
    on: 'start',
    lifeCycle: 'CREATED',
    phases: unfinished,
    statuses: ['STOP', 'ABNORMAL'],
    to: { status: 'WAIT_START' },
  },

  {
    on: 'stop',
    lifeCycle: 'CREATED',
    phases,
    statuses: ['WAIT_START', 'RUNNING', 'WAIT_RESTART'],
    to: { status: 'WAIT_STOP' },
  },
  { on: 'stop', lifeCycle: 'CREATED', phases, statuses: ['ABNORMAL'], to: { status: 'STOP' } },

  {
    on: 'restart',
    lifeCycle: 'CREATED',
    phases: unfinished,
    statuses: ['RUNNING', 'WAIT_RESTART', 'ABNORMAL', 'STOP'],
    to: { status: 'WAIT_RESTART' },
  },

  { on: 'replay', lifeCycle: 'CREATED', phases, statuses: resting, to: { phase: 'INIT', status: 'WAIT_START' } },
  // A replay that a user starts later.
  { on: 'put back', lifeCycle: 'CREATED', phases, statuses: resting, to: { phase: 'INIT', status: 'STOP' } },

  {
    on: 'detach',
    lifeCycle: 'CREATED',
    phases: following,
    statuses: ['STOP', 'ABNORMAL'],
    to: { lifeCycle: 'LOCKED', status: 'STOP' },
  },
  {
    on: 'attach',
    lifeCycle: 'LOCKED',
    phases: following,
    statuses: ['STOP'],
    to: { lifeCycle: 'CREATED', status: 'WAIT_START' },
  },

  {
    on: 'delete',
    lifeCycle: 'CREATING',
    phases: ['CREATED'],
    statuses: ['INIT'],
    to: { lifeCycle: 'DELETING', status: 'DELETE' },
  },
  {
    on: 'delete',
    lifeCycle: 'CREATED',
    phases,
    statuses: ['INIT', ...resting],
    to: { lifeCycle: 'DELETING', status: 'DELETE' },
  },
  {
    on: 'delete',
    lifeCycle: 'LOCKED',
    phases: following,
    statuses: ['STOP'],
    to: { lifeCycle: 'DELETING', status: 'DELETE' },
  },

  // A user retries parked rows of a full copy.
  {
    on: 'rows retried',
    lifeCycle: 'CREATED',
    phases: complete,
    statuses: ['COMPLETE'],
    to: { status: 'WAIT_START' },
  },

  { on: 'forked', lifeCycle: 'CREATED', phases, statuses: ['WAIT_START', 'WAIT_RESTART'], to: { status: 'RUNNING' } },
  { on: 'stopped', lifeCycle: 'CREATED', phases: unfinished, statuses: ['WAIT_STOP'], to: { status: 'STOP' } },
  { on: 'stopped', lifeCycle: 'CREATED', phases: complete, statuses: ['WAIT_STOP'], to: { status: 'COMPLETE' } },
  {
    on: 'completed',
    lifeCycle: 'CREATED',
    phases,
    statuses: ['RUNNING', 'WAIT_STOP', 'WAIT_RESTART'],
    to: { phase: 'COMPLETE', status: 'COMPLETE' },
  },
  {
    on: 'failed',
    lifeCycle: 'CREATED',
    phases,
    statuses: ['WAIT_START', 'RUNNING', 'WAIT_RESTART'],
    to: { status: 'WAIT_RESTART' },
  },
  {
    on: 'given up',
    lifeCycle: 'CREATED',
    phases: unfinished,
    statuses: ['WAIT_START', 'RUNNING', 'WAIT_RESTART'],
    to: { status: 'ABNORMAL' },
  },
  {
    on: 'given up',
    lifeCycle: 'CREATED',
    phases: complete,
    statuses: ['WAIT_START', 'RUNNING', 'WAIT_RESTART'],
    to: { status: 'COMPLETE' },
  },
  { on: 'lost', lifeCycle: 'CREATED', phases, statuses: ['RUNNING'], to: { status: 'WAIT_RESTART' } },
  { on: 'released', lifeCycle: 'DELETING', phases, statuses: ['DELETE'], to: { lifeCycle: 'DELETED' } },
];

/** What each action requires, for callers whose request came at the wrong time. */
export const needs: Readonly<Record<JobAction, string>> = {
  activate: 'Only a job that has been created and has never run can be activated.',
  start: 'Only a job that has never run, is stopped or has failed can be started.',
  stop: 'Only a job that is running, or trying to run, can be stopped.',
  restart: 'Only a job that is running, stopped or failed, and not complete, can be restarted.',
  replay: 'Only a stopped, failed or complete job can run again from the start.',
  detach: 'Only a stopped job that followed changes can be detached.',
  attach: 'Only a detached job can be attached.',
  delete: 'Only a job that is neither running nor about to run can be deleted.',
};

const lifeCycleSentences: Readonly<Record<LifeCycle, string | undefined>> = {
  CREATING: 'The job is still being created.',
  CREATED: undefined,
  LOCKED: 'The job is detached.',
  DELETING: 'The job is being deleted.',
  DELETED: 'The job has been deleted.',
};

const statusSentences: Readonly<Record<JobStatus, string>> = {
  INIT: 'The job has not run yet.',
  WAIT_START: 'The job is about to start.',
  RUNNING: 'The job is running.',
  WAIT_STOP: 'The job is stopping.',
  STOP: 'The job is stopped.',
  COMPLETE: 'The job is complete.',
  ABNORMAL: 'The job stopped with a fault.',
  DELETE: 'The job is being deleted.',
  WAIT_RESTART: 'The job is about to start again.',
};

function find(on: JobTrigger, { lifeCycle, phase, status }: JobState): Transition | undefined {
  return transitions.find(
    (one) =>
      one.on === on && one.lifeCycle === lifeCycle && one.phases.includes(phase) && one.statuses.includes(status),
  );
}

/** The state after an action or an event; undefined if it is not possible. */
export function after(on: JobTrigger, state: JobState): JobState | undefined {
  const found = find(on, state);
  return found && { ...state, ...found.to };
}

/** What a user can do with a job in this state. */
export function possibleActions(state: JobState): JobAction[] {
  return jobActions.filter((action) => find(action, state) !== undefined);
}

/** Why an action is refused, and which ones are possible. */
export function refusal(action: JobAction, state: JobState): string {
  const possible = possibleActions(state);
  const is = lifeCycleSentences[state.lifeCycle] ?? statusSentences[state.status];
  return `${is} ${needs[action]} Possible now: ${possible.join(', ') || 'nothing'}.`;
}
