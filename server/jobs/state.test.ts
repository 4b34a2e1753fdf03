import { expect, test } from 'vitest';
import { jobActions, lifeCycles, phases, statuses } from '../../client/contract/jobs/jobs.ts';
import { after, type JobState, possibleActions, refusal, transitions } from './state.ts';

const states: JobState[] = lifeCycles.flatMap((lifeCycle) =>
  phases.flatMap((phase) => statuses.map((status) => ({ lifeCycle, phase, status }))),
);

test('every action in every state is either possible or refused with a reason', () => {
  for (const state of states) {
    for (const action of jobActions) {
      const next = after(action, state);
      expect(possibleActions(state).includes(action)).toBe(next !== undefined);
      if (!next) expect(refusal(action, state)).toMatch(/^The job .+\. Only .+\. Possible now: .+\.$/);
    }
  }
});

test('no state has two transitions for the same trigger', () => {
  for (const state of states) {
    for (const { on } of transitions) {
      const fitting = transitions.filter(
        (one) =>
          one.on === on &&
          one.lifeCycle === state.lifeCycle &&
          one.phases.includes(state.phase) &&
          one.statuses.includes(state.status),
      );
      expect([state, on, fitting.length <= 1]).toEqual([state, on, true]);
    }
  }
});

test('every reachable state of a job has a path to DELETED', () => {
  const key = (state: JobState) => Object.values(state).join();
  const start: JobState = { lifeCycle: 'CREATING', phase: 'CREATED', status: 'INIT' };
  const reached = new Map([[key(start), start]]);
  const ways = (state: JobState): JobState[] => [
    ...transitions.flatMap(({ on }) => after(on, state) ?? []),
    // The child process reports the phase.
    ...(state.status === 'RUNNING' ? phases.map((phase) => ({ ...state, phase })) : []),
  ];
  for (const state of reached.values()) for (const next of ways(state)) reached.set(key(next), next);
  expect(reached.size).toBeGreaterThan(20);
  const ends = (from: JobState): boolean => {
    const seen = new Map([[key(from), from]]);
    for (const state of seen.values()) for (const next of ways(state)) seen.set(key(next), next);
    return [...seen.values()].some(({ lifeCycle }) => lifeCycle === 'DELETED');
  };
  for (const state of reached.values()) expect([state, ends(state)]).toEqual([state, true]);
});
