import {
  type JobAction,
  type JobStatus,
  jobActions,
  type LifeCycle,
  lifeCycles,
  type Phase,
  phases,
  statuses,
  type TableState,
} from '../../../client/contract/jobs/jobs.ts';
import { after, needs, possibleActions, transitions } from '../state.ts';
import { lifeOfAJob, nameOf } from './life-of-a-job.ts';
import { code, markdownTable } from './markdown-table.ts';

const lifeCycleMeanings: Readonly<Record<LifeCycle, string>> = {
  CREATING: 'The job is being created, in steps that can be viewed and retried.',
  CREATED: 'The job exists.',
  LOCKED: 'The job is detached: it does not run, and its position is kept.',
  DELETING:
    'What the job keeps on both sides is being removed; this is retried until it is gone, or the job is deleted anyway.',
  DELETED: 'The job and what it kept are gone.',
};

const phaseMeanings: Readonly<Record<Phase, string>> = {
  CREATED: 'It has never run.',
  INIT: 'Both sides are opened, structure is created, the position is reserved.',
  FULL: 'Existing rows are copied.',
  CATCH_UP: 'Everything is copied; tables catch up with changes made meanwhile.',
  INCRE: 'Every table that can be is live: changes are followed.',
  COMPLETE: 'A job that does not follow changes has done its work.',
};

const statusMeanings: Readonly<Record<JobStatus, string>> = {
  INIT: 'It has never run and waits to be started or activated.',
  WAIT_START: 'It is about to start.',
  RUNNING: 'Its process is running.',
  WAIT_STOP: 'It stops at the next commit.',
  STOP: 'It is stopped.',
  COMPLETE: 'It has done its work.',
  ABNORMAL: 'It has a fault that needs manual action.',
  DELETE: 'It is being deleted.',
  WAIT_RESTART: 'It had a fault and retries automatically, or it is being restarted.',
};

const tableMeanings: Readonly<Record<TableState, string>> = {
  waiting: 'It is waiting to be copied.',
  copying: 'Its rows are copied in chunks.',
  'catching-up': 'It is copied, and waits until the stream has passed the end of its last chunk.',
  live: 'It has every change that the stream has delivered.',
  paused: 'A user paused it; its changes are left out meanwhile.',
  blocked: 'It has a fault; the other tables continue.',
  removed: 'It is no longer part of the job.',
  done: 'It is copied, by a job that does not follow.',
};

function meanings<Name extends string>(title: string, names: readonly Name[], of: Readonly<Record<Name, string>>) {
  return markdownTable(
    [title, 'Meaning'],
    names.map((name) => [code(name), of[name]]),
  );
}

/** The tables of `::states` and its drawing, by key. */
export function stateTables(): [key: string, markdown: string][] {
  return [
    ['job.life-cycle', meanings('Life cycle', lifeCycles, lifeCycleMeanings)],
    ['job.phase', meanings('Phase', phases, phaseMeanings)],
    ['job.status', meanings('Status', statuses, statusMeanings)],
    ['job.actions', actionsTable()],
    ['job.matrix', matrix()],
    ['job.transitions', transitionsTable()],
    ['job.drawing', lifeOfAJob()],
    ['table', meanings('State', Object.keys(tableMeanings) as TableState[], tableMeanings)],
  ];
}

/** The actions on a job, and from which status they are possible. */
function actionsTable(): string {
  const resting = (action: JobAction) =>
    statuses.filter((status) =>
      lifeCycles.some((lifeCycle) =>
        phases.some((phase) => possibleActions({ lifeCycle, phase, status }).includes(action)),
      ),
    );
  const rows = jobActions.map((action) => [code(action), resting(action).map(code).join(', '), needs[action]]);
  return markdownTable(['Action', 'From the status', 'Rule'], rows);
}

/** A row for each state that allows an action, a column for each action, and the state it leads to. */
function matrix(): string {
  const states = lifeCycles.flatMap((lifeCycle) => statuses.map((status) => ({ lifeCycle, status })));
  const rows = states.map(({ lifeCycle, status }) => {
    const cells = jobActions.map((action) => {
      const ends = phases.flatMap((phase) => after(action, { lifeCycle, phase, status }) ?? []);
      const [end] = ends;
      // An action that is only possible in some phases leads to the same state from each of them.
      return end ? code(nameOf(end)) : '';
    });
    return { name: `${code(status)}${lifeCycle === 'CREATED' ? '' : `, ${code(lifeCycle)}`}`, cells };
  });
  return markdownTable(
    ['State', ...jobActions],
    rows.filter(({ cells }) => cells.some(Boolean)).map(({ name, cells }) => [name, ...cells]),
  );
}

/** Every change of state; a dot separates life cycle, phase and status. */
function transitionsTable(): string {
  const rows = transitions.map(({ on, lifeCycle, phases: from, statuses: at, to }) => [
    on,
    code(lifeCycle),
    from.length === phases.length ? 'any' : from.map(code).join(', '),
    at.map(code).join(', '),
    [to.lifeCycle, to.phase, to.status]
      .filter((name) => name !== undefined)
      .map(code)
      .join(' · '),
  ]);
  return markdownTable(['On', 'Life cycle', 'Phase', 'Status', 'Becomes'], rows);
}
