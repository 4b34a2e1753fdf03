import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HeavyTasks } from './heavy-tasks.ts';

const limits = { running: 1, waiting: 2, waitMs: 60_000, taskMs: 60_000 };
const outcome = (result: Promise<unknown>) =>
  result.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

test('tasks that finish at once still count towards the limit', async () => {
  const tasks = new HeavyTasks(limits);
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => outcome(tasks.run(async () => undefined))));
  expect(outcomes.sort()).toEqual(['OVERLOADED', 'OVERLOADED', 'OVERLOADED', 'done', 'done', 'done']);
});

test('new connections are accepted between two tasks', async () => {
  const order: string[] = [];
  const server = createServer(() => order.push('newcomer')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const clients = Array.from({ length: 5 }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => {
    for (const client of clients) client.destroy();
  });
  // The system has accepted them by now, but the event loop has not.
  await new Promise((resolve) => process.nextTick(resolve));
  await new HeavyTasks(limits).run(async () => order.push('task'));
  expect(order).toEqual([...Array(5).fill('newcomer'), 'task']);
});

test('a task that takes too long is abandoned, and its place becomes free', async () => {
  const tasks = new HeavyTasks({ ...limits, taskMs: 1 });
  await expect(tasks.run(() => new Promise(() => undefined))).rejects.toMatchObject({
    code: 'TIMED_OUT',
    status: 503,
    headers: { 'Retry-After': '2' },
  });
  expect(await tasks.run(async () => 'next')).toBe('next');
});

test('nothing is done for a client that has left', async () => {
  const tasks = new HeavyTasks(limits);
  const client = { destroyed: false };
  let done = 0;
  const task = async () => {
    done += 1;
  };
  const first = tasks.run(task, client);
  const second = tasks.run(task, client);
  await first;
  client.destroyed = true;
  await expect(second).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(done).toBe(1);
});

test('a task that waits too long is refused, and the others keep their order', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const tasks = new HeavyTasks({ ...limits, waitMs: 300 });
  const held = Promise.withResolvers<void>();
  const first = tasks.run(() => held.promise);
  const late = outcome(tasks.run(async () => undefined));
  vi.advanceTimersByTime(200);
  const second = outcome(tasks.run(async () => undefined));
  vi.advanceTimersByTime(100);
  expect(await late).toBe('OVERLOADED');
  held.resolve();
  await first;
  expect(await second).toBe('done');
  // No timer is left for a wait that is over.
  expect(vi.getTimerCount()).toBe(0);
});
