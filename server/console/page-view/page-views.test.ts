import { beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { runDueTasks } from '../tasks/run-tasks.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';

const row = z.object({ uri: z.string(), src: z.string(), address: z.string() });

describe.each(['sqlite', 'postgres'] as const)('page views on %s', (kind) => {
  let backend: TestConsole;
  beforeEach(async () => {
    backend = await openTestConsole(
      {},
      kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined,
    );
    return () => backend.close();
  });
  const stored = async () => {
    await backend.services.pageViews.flush();
    return backend.services.database.all(row, 'SELECT uri, src, address FROM page_view ORDER BY uri');
  };

  test('a view is stored without secrets, with a truncated IP address, and is deleted after 90 days', async () => {
    const view = { uri: '/login?kw=cdc&token=t&code=c', src: 'https://x.example/?q=private', clientId: 'ab' };
    const answer = await backend.post(calls.addViewLog, view, { address: '198.51.100.77' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    await backend.post(calls.addViewLog, { uri: '/why' }, { address: '2001:db8:1:2::3' });
    expect(await stored()).toEqual([
      { uri: '/login?kw=cdc', src: 'https://x.example/', address: '198.51.100.0' },
      { uri: '/why', src: '', address: '2001:db8:1::' },
    ]);
    const { database, now } = backend.services;
    await scheduleTask(database, { kind: 'delete-old', key: 'hourly', payload: '', dueAt: now() });
    backend.pass(91 * 86_400_000);
    await runDueTasks(backend.services);
    expect(await stored()).toEqual([]);
  });

  test('views that could not be stored are stored once the store accepts writes again', async () => {
    const { database } = backend.services;
    await database.script('ALTER TABLE page_view RENAME TO away');
    await backend.post(calls.addViewLog, { uri: '/why' });
    for (let count = 0; count < 3; count += 1) await backend.services.pageViews.flush();
    await database.script('ALTER TABLE away RENAME TO page_view');
    expect(await stored()).toMatchObject([{ uri: '/why' }]);
    expect(await stored()).toHaveLength(1);
    // However long the fault lasts, the log contains its start and its end.
    expect(backend.logged.filter(({ msg }) => /^page views .* stored/.test(String(msg)))).toMatchObject([
      { level: 50, msg: 'page views could not be stored' },
      { level: 30, msg: 'page views are stored again', times: expect.any(Number) },
    ]);
  });

  test('unknown fields and more than 60 views a minute per IP address are refused, and dropped views are logged', async () => {
    expect((await backend.post(calls.addViewLog, { uri: '/', x: 1 })).status).toBe(400);
    const large = await backend.post(calls.addViewLog, { uri: `/${'ä'.repeat(2040)}`, src: 'x'.repeat(100) });
    expect([large.status, large.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    const address = `203.0.113.${kind === 'sqlite' ? 1 : 2}`;
    const statuses = new Set<number>();
    for (let count = 0; count < 61; count += 1) {
      statuses.add((await backend.post(calls.addViewLog, { uri: '/' }, { address })).status);
    }
    expect([...statuses]).toEqual([204, 429]);
    // One customer has a whole network of IPv6 addresses.
    const inOneNetwork: number[] = [];
    for (let count = 0; count < 61; count += 1) {
      const { status } = await backend.post(
        calls.addViewLog,
        { uri: '/' },
        { address: `2001:db8:${kind === 'sqlite' ? 1 : 2}::${count}` },
      );
      inOneNetwork.push(status);
    }
    expect([new Set(inOneNetwork.slice(0, 60)), inOneNetwork[60]]).toEqual([new Set([204]), 429]);
    const view = { src: '', kw: '', vbId: '', clientId: '', uri: '/', address, at: 0 };
    for (let count = 0; count < 3000; count += 1) backend.services.pageViews.add(view);
    await backend.services.pageViews.flush();
    expect(backend.logged).toContainEqual(expect.objectContaining({ msg: 'page views were dropped' }));
  });
});
