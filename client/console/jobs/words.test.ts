import { expect, test } from 'vitest';
import type { Job, JobFault } from '../../contract/jobs/jobs.ts';
import { duration, size, stateOf, tableStateOf } from './words.ts';

const counts = { total: 3, waiting: 0, copying: 0, catchingUp: 0, live: 3, paused: 0, blocked: 0, done: 0 };
const fault: JobFault = { code: 'CONNECTION_LOST', sentence: '', hint: '', retry: 'timed', at: 0, nextTryAt: 1 };
const follows = {
  lifeCycleState: 'CREATED',
  currTaskStatus: 'RUNNING',
  dataTaskState: 'INCRE',
  fault: null,
  waitsFor: null,
  tables: counts,
} as Job;

test('no table is live in a job without a running process', () => {
  expect(tableStateOf('live', follows)).toEqual({ label: 'Live', tone: 'good' });
  const still: Partial<Job>[] = [
    { currTaskStatus: 'STOP' },
    { currTaskStatus: 'ABNORMAL', fault },
    { currTaskStatus: 'WAIT_RESTART', fault },
    { currTaskStatus: 'WAIT_START', waitsFor: 'Others have to end first.' },
  ];
  for (const changes of still)
    expect(tableStateOf('live', { ...follows, ...changes })).toEqual({ label: 'Live when it stopped', tone: 'over' });
  const stopped: Job = { ...follows, currTaskStatus: 'STOP' };
  expect(tableStateOf('copying', stopped).label).toBe('Copying when it stopped');
  expect(tableStateOf('blocked', stopped)).toEqual({ label: 'Blocked', tone: 'bad' });
  expect(tableStateOf('done', stopped)).toEqual({ label: 'Copied', tone: 'good' });
});

test('a job that follows while a table is blocked says so, in the tone of a fault', () => {
  const blocked = (number: number): Job => ({ ...follows, tables: { ...counts, blocked: number } });
  expect(stateOf(blocked(0))).toEqual({ label: 'Following', tone: 'good' });
  expect(stateOf(blocked(1))).toEqual({ label: 'Following, 1 table blocked', tone: 'bad' });
  expect(stateOf({ ...blocked(2), dataTaskState: 'FULL' }).label).toBe('Initial load, 2 tables blocked');
  expect(stateOf({ ...blocked(2), currTaskStatus: 'STOP' }).label).toBe('Stopped');
});

test.each([
  [0.2, '0 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min'],
  [59 * 60_000 + 29_000, '59 min'],
  [59 * 60_000 + 59_000, '1 h'],
])('the duration of %d ms is %s', (ms, words) => expect(duration(ms)).toBe(words));

test.each([
  [999.6, '1.0 kB'],
  [512, '512 B'],
  [999_940, '999.9 kB'],
  [999_960, '1.0 MB'],
  [1e16, '10000.0 TB'],
])('the size of %d bytes is %s', (bytes, words) => expect(size(bytes)).toBe(words));
