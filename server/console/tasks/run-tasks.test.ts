import { beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { dayOf } from '../../../client/contract/dates.ts';
import { ChannelDown, type Message, MessageRefused } from '../../senders/message.ts';
import { type SqlValue, StorageSilent } from '../../storage/database.ts';
import { beforeStatement } from '../../testing/before-statement.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { newcomer } from '../../testing/newcomer.ts';
import { patience } from '../../testing/patience.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { untilWaiting } from '../../testing/until-waiting.ts';
import { makeDailyBills } from '../billing/daily-bills.ts';
import { importUsage } from '../billing/import-usage.ts';
import { type MessageAbout, queueMessage } from '../messages/queue-message.ts';
import { runDueTasks, startTasks } from './run-tasks.ts';
import { scheduleTask } from './schedule-task.ts';

const message: Message = { channel: 'mail', to: 'ada@site.example', subject: 'S', text: 'secret-words' };
const about = { kind: 'password-changed', uid: '7' } as const;

/** A mail server, or an SMS gateway, that can be down; it lists the texts that it was offered. */
class Channel {
  isDown = false;
  readonly offered: string[] = [];
  readonly accepted: string[] = [];
  /** Texts on which it breaks, and texts that it refuses. */
  readonly breaksOn = new Set<string>();
  readonly refuses = new Set<string>();

  send = async ({ text }: Message) => {
    this.offered.push(text);
    if (this.isDown || this.breaksOn.has(text)) throw new ChannelDown('connect ECONNREFUSED');
    if (this.refuses.has(text)) throw new MessageRefused('550 no such mailbox');
    this.accepted.push(text);
  };
}

describe.each(['sqlite', 'postgres'] as const)('tasks on %s', (kind) => {
  let backend: TestConsole;
  let failing = 0;
  beforeEach(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    failing = 0;
    backend = await openTestConsole({}, url);
    const { send } = backend.services;
    backend.services.send = async (one) => {
      if (failing-- > 0) throw new Error('no');
      await send(one);
    };
    return () => backend.close();
  });

  test('a message is sent only if its transaction commits', async () => {
    const { services } = backend;
    await services.database.transaction((queries) => queueMessage(queries, services, message, about));
    const failed = services.database.transaction(async (queries) => {
      await queueMessage(queries, services, message, about);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow();
    expect(await runDueTasks(services)).toBe(1);
    expect(backend.sent).toEqual([message]);
    expect(await runDueTasks(services)).toBe(0);
  });

  test('several processes run each task once', async () => {
    const { services } = backend;
    for (let count = 0; count < 20; count += 1) await queueMessage(services.database, services, message, about);
    const done = await Promise.all([runDueTasks(services), runDueTasks(services), runDueTasks(services)]);
    expect([done.reduce((sum, count) => sum + count, 0), backend.sent.length]).toEqual([20, 20]);
  });

  // SQLite runs one transaction at a time.
  test.runIf(kind === 'postgres')('of two processes that want a task at the same moment one runs it', async () => {
    const { services } = backend;
    const { database } = services;
    await queueMessage(database, services, message, about);
    let done: Promise<number[]> | undefined;
    await database.transaction(async (queries) => {
      await queries.run('UPDATE task SET attempts = attempts');
      done = Promise.all([runDueTasks(services), runDueTasks(services)]);
      await untilWaiting(database, 2);
    });
    expect([(await done)?.toSorted(), backend.sent.length]).toEqual([[0, 1], 1]);
  });

  test('an undelivered message is given up after five days, a code when it expires, and both are logged', async () => {
    const { services, logged } = backend;
    const { database } = services;
    const waiting = async () => (await backend.queued()).map(({ to }) => to);
    const givenUp = () => logged.filter(({ msg }) => msg === 'a message that was never accepted was given up').length;
    await queueMessage(database, services, message, about);
    const code = { email: 'nobody@site.example', verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'LOGIN' };
    await backend.post(calls.sendCode, code);
    failing = Number.POSITIVE_INFINITY;
    /** Lets time pass, with the tasks that come due. */
    const pass = async (times: number, minutes: number) => {
      for (let left = times; left > 0; left -= 1) {
        backend.pass(minutes * 60_000);
        await runDueTasks(services);
      }
    };
    await runDueTasks(services);
    expect(await waiting()).toEqual(expect.arrayContaining([message.to, code.email]));
    await pass(12, 5);
    expect([await waiting(), givenUp()]).toEqual([[message.to], 1]);
    await pass(5 * 24 - 2, 60);
    expect(await waiting()).toEqual([message.to]);
    await pass(2, 60);
    expect([await waiting(), givenUp()]).toEqual([[], 2]);
    const named = logged.filter(({ msg }) => msg === 'a message that was never accepted was given up');
    expect(named).toMatchObject([{ message: 'code' }, { message: 'password-changed', uid: '7', channel: 'mail' }]);
    for (const word of ['secret-words', 'nobody@', 'ada@']) expect(JSON.stringify(logged)).not.toContain(word);
  });

  test('a message that waited for weeks because no server ran is still sent', async () => {
    await queueMessage(backend.services.database, backend.services, message, about);
    backend.pass(30 * 86_400_000);
    await runDueTasks(backend.services);
    expect(backend.sent).toEqual([message]);
  });

  test('a failed message is retried with growing delays, and the log contains nothing of it', async () => {
    const { services } = backend;
    await queueMessage(services.database, services, message, about);
    failing = 2;
    await runDueTasks(services);
    expect(await runDueTasks(services)).toBe(0);
    backend.pass(5_000);
    expect(await runDueTasks(services)).toBe(1);
    backend.pass(5_000);
    expect(await runDueTasks(services)).toBe(0);
    backend.pass(5_000);
    expect(await runDueTasks(services)).toBe(1);
    expect(backend.sent).toHaveLength(1);
    expect(JSON.stringify(backend.logged)).not.toMatch(/secret-words|ada@/);
  });

  test('a task whose process died is taken over by another process', async () => {
    const { services } = backend;
    await queueMessage(services.database, services, message, about);
    await services.database.run('UPDATE task SET taken_until = $1', [services.now() + 300_000]);
    expect(await runDueTasks(services)).toBe(0);
    backend.pass(300_000);
    expect(await runDueTasks(services)).toBe(1);
  });

  test('a recurring task becomes due again, and scheduling it twice creates one task', async () => {
    const { services } = backend;
    const hourly = { kind: 'delete-old', key: 'hourly', payload: '', dueAt: services.now() } as const;
    await scheduleTask(services.database, hourly);
    await scheduleTask(services.database, hourly);
    expect(await runDueTasks(services)).toBe(1);
    expect(await runDueTasks(services)).toBe(0);
    backend.pass(3_600_000);
    expect(await runDueTasks(services)).toBe(1);
  });

  test('after a clock that ran ahead is set back, what it put off is done at once, and what is far away is not', async () => {
    const { services } = backend;
    const { database, now } = services;
    backend.pass(30 * 86_400_000);
    await queueMessage(database, services, message, about);
    failing = 1;
    await scheduleTask(database, { kind: 'delete-old', key: 'hourly', payload: '', dueAt: now() });
    const reminder = { kind: 'licence-reminder', key: 'a:1', payload: '', dueAt: now() + 1 } as const;
    await scheduleTask(database, reminder);
    expect(await runDueTasks(services)).toBe(2);
    const notDue = async () => {
      const left = z.object({ kind: z.string() });
      const rows = await database.all(left, 'SELECT kind FROM task WHERE due_at > $1 ORDER BY kind', [
        now() + 7_200_000,
      ]);
      return rows.map(({ kind }) => kind);
    };
    const runs = async (timesSent: number) => {
      await vi.waitUntil(() => backend.sent.length === timesSent, patience);
      await vi.waitFor(async () => expect(await notDue()).toEqual(['licence-reminder']), patience);
    };
    backend.pass(-30 * 86_400_000);
    const stop = startTasks(services);
    await runs(1);
    // Once more, beside a running server, and for a message that another process had taken.
    await queueMessage(database, { ...services, now: () => now() + 30 * 86_400_000 }, message, about);
    await database.run("UPDATE task SET taken_until = due_at WHERE kind = 'send-message'");
    // By more than what the first look of another lane, which may come as late as this, counts as far away.
    backend.pass(-3 * 3_600_000);
    await runs(2);
    await stop();
  });

  test('usage that jobs reported is deleted 60 days after it was billed; bills and imported usage stay', async () => {
    const { services } = backend;
    const { database } = services;
    const { uid } = await newcomer(backend, 'ada@site.example');
    const about = {
      uid,
      day: dayOf(services.now()),
      dataJobId: '1',
      dataJobName: 'orders',
      item: 'FULL',
      rows: 1,
    } as const;
    for (const id of ['job:a', 'b']) await importUsage(database, { ...about, id });
    for (let number = 0; number < 5_001; number++) await importUsage(database, { ...about, id: `job:${number}` });
    backend.pass(86_400_000);
    await makeDailyBills(services);
    await importUsage(database, { ...about, id: 'job:late' });
    const left = async (days: number) => {
      backend.pass(days * 86_400_000);
      await scheduleTask(database, { kind: 'delete-old', key: 'now', payload: '', dueAt: services.now() });
      await database.run("UPDATE task SET due_at = 0 WHERE kind = 'delete-old'");
      await runDueTasks(services);
      const rows = await database.all(z.object({ id: z.string() }), 'SELECT id FROM usage_record ORDER BY id');
      return rows.map(({ id }) => id);
    };
    expect(await left(58)).toHaveLength(5_004);
    expect(await left(1)).toEqual(['b', 'job:late']);
    const lines = await database.all(z.object({ units: z.number() }), 'SELECT units FROM bill_line');
    expect(lines).toEqual([{ units: 5_003 }]);
  });

  const deleteOldRows = async () => {
    const { services } = backend;
    await scheduleTask(services.database, { kind: 'delete-old', key: 'now', payload: '', dueAt: 0 });
    await runDueTasks(services);
  };

  test.runIf(kind === 'sqlite')('old rows, and what refers to them, are found by an index', async () => {
    const { services } = backend;
    const { database } = services;
    const deletions: [string, readonly SqlValue[]][] = [];
    services.database = Object.assign(Object.create(database), {
      run(sql: string, parameters: readonly SqlValue[]) {
        if (/^DELETE FROM (?!task)/.test(sql)) deletions.push([sql, parameters]);
        return database.run(sql, parameters);
      },
    });
    await deleteOldRows();
    const scanned = new Set<string>();
    const explain = async (sql: string, parameters: readonly SqlValue[]) => {
      const steps = await database.all(z.object({ detail: z.string() }), `EXPLAIN QUERY PLAN ${sql}`, parameters);
      for (const { detail } of steps) if (detail.startsWith('SCAN')) scanned.add(detail);
    };
    for (const [sql, parameters] of deletions) {
      await explain(sql, parameters);
      // The plan leaves out what a foreign key asks.
      const referring = await database.all(
        z.object({ name: z.string(), column: z.string() }),
        `SELECT name, referring."from" AS "column" FROM sqlite_schema, pragma_foreign_key_list(name) AS referring
         WHERE type = 'table' AND referring."table" = $1`,
        [/^DELETE FROM (\w+)/.exec(sql)?.[1] ?? ''],
      );
      for (const { name, column } of referring) await explain(`SELECT 1 FROM ${name} WHERE ${column} = $1`, ['']);
    }
    // Of these there are few: sessions, codes and nonces live for days at most, keys and servers are dozens.
    const small = ['session', 'used_nonce', 'verification_code', 'stripe_event', 'api_key', 'job_worker'];
    expect([...scanned].filter((step) => !small.some((table) => step === `SCAN ${table}`))).toEqual([]);
    expect(deletions.map(([sql]) => sql).join()).toMatch(/page_view.* api_key .*job_sample/s);
  });

  test('more page views than a statement deletes are deleted in parts', async () => {
    const { services } = backend;
    const { database, pageViews, now } = services;
    const view = { src: '', kw: '', vbId: '', clientId: '', uri: '/', address: '192.0.2.1' };
    const keptMs = 90 * 86_400_000;
    for (let count = 0; count < 5_002; count += 1) {
      pageViews.add({ ...view, at: now() - keptMs - count });
      if (count % 1_000 === 0) await pageViews.flush();
    }
    // Of the same day, but not yet old.
    pageViews.add({ ...view, at: now() - keptMs + 1 });
    await pageViews.flush();
    await deleteOldRows();
    const left = await database.all(z.object({ at: z.number() }), 'SELECT at FROM page_view');
    expect(left).toEqual([{ at: now() - keptMs + 1 }]);
  });

  test.each([
    ['an error', new Error('a damaged index')],
    ['its limit for a statement', new StorageSilent('canceling statement due to statement timeout')],
  ])('old rows that the store does not delete for %s keep no others back', async (_what, error) => {
    const { services, logged } = backend;
    const { database } = services;
    await database.run(
      "INSERT INTO download (id, uid, product_type, version_type, version, at) VALUES ('a', '7', '', '', '', 0)",
    );
    await database.run("INSERT INTO job_worker (id, name, facts, seen_at) VALUES (1, 'gone', '{}', 0)");
    const { run } = database;
    const refusing = vi.spyOn(database, 'run').mockImplementation(async (sql, parameters) => {
      if (/^DELETE FROM (session|page_view) /.test(sql)) throw error;
      return await run(sql, parameters);
    });
    await deleteOldRows();
    const left = z.object({ id: z.string() });
    expect(await database.all(left, "SELECT id FROM download UNION SELECT 'b' FROM job_worker")).toEqual([]);
    expect(logged.filter(({ level }) => level === 50)).toMatchObject([
      { statement: expect.stringContaining('session'), err: { message: error.message } },
      { statement: expect.stringContaining('page_view'), err: { message: error.message } },
      { msg: 'a task failed and will be retried', task: 'delete-old', err: { message: error.message } },
    ]);
    refusing.mockRestore();
    backend.pass(5_000);
    expect([await runDueTasks(services), await runDueTasks(services)]).toEqual([1, 0]);
  });

  test('a slow task does not hold up messages', async () => {
    const { services } = backend;
    const { database } = services;
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    // The hourly task, like a payment service that does not answer.
    beforeStatement(services, 'DELETE FROM session', () => {
      begun.resolve();
      return held.promise;
    });
    await scheduleTask(database, { kind: 'delete-old', key: 'hourly', payload: '', dueAt: services.now() - 1 });
    const stop = startTasks(services);
    await begun.promise;
    await queueMessage(database, services, message, about);
    await vi.waitUntil(() => backend.sent.length === 1, patience);
    held.resolve();
    await stop();
  });

  test.runIf(kind === 'sqlite').each([
    ['is logged when it begins and when it is over', new Error('away'), 1],
    ['is left to the log of the store if this does not answer', new StorageSilent('away'), 0],
  ])('a failure of every look %s', async (_what, error, times) => {
    const { services, logged } = backend;
    const told = () => logged.filter(({ msg }) => /^tasks .* looked up/.test(String(msg))).map(({ msg }) => msg);
    const away = vi.spyOn(services.database, 'one').mockRejectedValue(error);
    const stop = startTasks(services);
    await vi.waitUntil(() => away.mock.calls.length >= 9, patience);
    away.mockRestore();
    await queueMessage(services.database, services, message, about);
    await vi.waitUntil(() => backend.sent.length > 0 && told().length >= 6 * times, patience);
    await stop();
    const lane = (sentence: string) => Array.from({ length: 3 * times }, () => sentence);
    expect(told()).toEqual([...lane('tasks could not be looked up'), ...lane('tasks are looked up again')]);
  });

  test('a task of a newer version is kept and does not hold up other tasks', async () => {
    const { services } = backend;
    const { database } = services;
    await database.run(
      "INSERT INTO task (id, kind, task_key, payload, due_at) VALUES ('1', 'of-tomorrow', 'a', 'b', 0)",
    );
    await queueMessage(database, services, message, about);
    await runDueTasks(services);
    expect(backend.sent).toEqual([message]);
    expect(backend.logged).toContainEqual(
      expect.objectContaining({
        task: 'of-tomorrow',
        err: expect.objectContaining({ message: 'This version does not know tasks of the kind of-tomorrow.' }),
      }),
    );
    expect(await database.all(z.object({ payload: z.string() }), 'SELECT payload FROM task')).toEqual([
      { payload: 'b' },
    ]);
  });

  describe('while a mail server is down', () => {
    let channel: Channel;
    const texts = (count: number) => Array.from({ length: count }, (_, at) => `notice ${at}`);
    const queue = (text: string, kind: MessageAbout['kind'] = 'invoice', name: Message['channel'] = 'mail') => {
      const { services } = backend;
      backend.pass(1);
      const lifeMs = kind === 'code' ? 300_000 : undefined;
      return queueMessage(services.database, services, { ...message, channel: name, text }, { kind, uid: '7' }, lifeMs);
    };
    /** Looks for tasks every five seconds, on two servers or on one, which alone keeps them in order. */
    const pass = async (seconds: number, servers = 1) => {
      for (let at = 0; at < seconds; at += 5) {
        backend.pass(5_000);
        await Promise.all(Array.from({ length: servers }, () => runDueTasks(backend.services)));
      }
    };
    const givenUp = () => backend.logged.filter(({ msg }) => msg === 'a message that was never accepted was given up');
    beforeEach(() => {
      channel = new Channel();
      channel.isDown = true;
      backend.services.send = channel.send;
    });

    test('one message a minute is tried, and all are sent in order within a minute after it is back', async () => {
      for (const text of texts(30)) await queue(text);
      await pass(3_600, 2);
      expect(channel.offered.length).toBeGreaterThan(50);
      expect(channel.offered.length).toBeLessThan(70);
      channel.isDown = false;
      await pass(60);
      const [probe, ...others] = channel.accepted;
      expect(others).toEqual(texts(30).filter((text) => text !== probe));
    });

    test('a message that two servers offer while one of them pauses its lane keeps its place', async () => {
      const { services } = backend;
      for (const text of texts(3)) await queue(text);
      const oldest = '(SELECT min(due_at) FROM task)';
      await services.database.run(`UPDATE task SET lane_faults = 1 WHERE due_at = ${oldest}`);
      services.send = async (one) => {
        services.send = channel.send;
        await runDueTasks(services);
        await channel.send(one);
      };
      await pass(5);
      channel.isDown = false;
      await pass(60);
      expect(channel.accepted).toEqual(['notice 2', 'notice 0', 'notice 1']);
    });

    test('of messages that waited for too long, one is given up for each try', async () => {
      for (const text of texts(3)) await queue(text);
      backend.pass(6 * 86_400_000);
      await pass(5);
      expect(givenUp()).toHaveLength(1);
      channel.isDown = false;
      await pass(60);
      expect([channel.accepted, givenUp().length]).toEqual([['notice 1', 'notice 2'], 1]);
    });

    test('codes go before everything else, and one that expired meanwhile is not sent', async () => {
      for (const text of texts(3)) await queue(text);
      await queue('old code', 'code');
      await pass(600);
      await queue('fresh code', 'code');
      channel.isDown = false;
      await pass(60);
      expect(channel.accepted).toEqual(['fresh code', ...texts(3)]);
      expect(givenUp()).toMatchObject([{ channel: 'mail', message: 'code', uid: '7' }]);
    });

    test('SMS are sent', async () => {
      channel.breaksOn.add('mail');
      channel.isDown = false;
      await queue('mail');
      await queue('sms', 'code', 'sms');
      await pass(5);
      expect(channel.accepted).toEqual(['sms']);
    });

    test('a message on which it always breaks holds up no other', async () => {
      channel.isDown = false;
      channel.breaksOn.add('bad');
      await queue('bad');
      await pass(600);
      await queue('code', 'code');
      await pass(60);
      expect(channel.accepted).toEqual(['code']);
      for (const text of texts(20)) await queue(text);
      await pass(5);
      expect(channel.accepted).toEqual(['code', ...texts(20)]);
    });

    test('a message that it refuses shows that it is back, and concerns no other', async () => {
      await queue('refused');
      await pass(600);
      channel.isDown = false;
      channel.refuses.add('refused');
      for (const text of texts(20)) await queue(text);
      await pass(60);
      expect(channel.accepted).toEqual(texts(20));
      await pass(5);
      await queue('next');
      await pass(5);
      expect(channel.accepted.at(-1)).toBe('next');
    });

    test('what an earlier version put off for an hour is sent with the rest', async () => {
      const { services } = backend;
      await queue('old');
      await services.database.run('UPDATE task SET attempts = 12, due_at = $1', [services.now() + 3_600_000]);
      await queue('new');
      await pass(5);
      channel.isDown = false;
      await pass(60);
      expect(channel.accepted.toSorted()).toEqual(['new', 'old']);
    });

    test('a message whose text cannot be read does not keep the others back', async () => {
      const { services } = backend;
      await queue('damaged');
      await services.database.run("UPDATE task SET payload = 'damaged'");
      for (const text of texts(3)) await queue(text);
      await pass(60);
      channel.isDown = false;
      await pass(120);
      expect(channel.accepted.toSorted()).toEqual(texts(3));
    });

    test('a pause set by a clock that ran ahead ends when it is set back', async () => {
      backend.pass(30 * 86_400_000);
      await queue('mail');
      await runDueTasks(backend.services);
      channel.isDown = false;
      backend.pass(-30 * 86_400_000);
      const stop = startTasks(backend.services);
      await vi.waitUntil(() => channel.accepted.length === 1, patience);
      await stop();
    });
  });

  test('a mail server that accepts and says nothing holds up neither SMS nor other tasks', async () => {
    const { services } = backend;
    const { database } = services;
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const accepted: string[] = [];
    services.send = async ({ channel }) => {
      begun.resolve();
      if (channel === 'mail') await held.promise;
      accepted.push(channel);
    };
    await queueMessage(database, services, message, about);
    const stop = startTasks(services);
    await begun.promise;
    await queueMessage(database, services, { ...message, channel: 'sms' }, { kind: 'code', uid: undefined });
    await scheduleTask(database, { kind: 'delete-old', key: 'now', payload: '', dueAt: services.now() });
    await vi.waitUntil(() => accepted.includes('sms'), patience);
    const done = z.object({ due_at: z.number() });
    await vi.waitFor(async () => {
      const row = await database.one(done, "SELECT due_at FROM task WHERE kind = 'delete-old'");
      expect(row?.due_at).toBeGreaterThan(services.now());
    }, patience);
    expect(accepted).toEqual(['sms']);
    held.resolve();
    await stop();
  });
});
