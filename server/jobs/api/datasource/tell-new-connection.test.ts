import { beforeEach, describe, expect, inject, test } from 'vitest';
import { jobCalls } from '../../../../client/contract/jobs/calls.ts';
import { standIn } from '../../../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../../../testing/jobs.ts';
import { createStoreDatabase } from '../../../testing/store-database.ts';

describe.each(['sqlite', 'postgres'])(
  'a change of data source address or TLS that keeps the stored password, store %s',
  (store) => {
    let jobs: TestJobs;
    let id: number;

    beforeEach(async () => {
      const databaseUrl = store === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
      jobs = await openTestJobs({ databaseUrl, jobs: standIn });
      const settings = {
        host: 'db.example',
        port: 5432,
        database: 'shop',
        user: 'ada',
        password: 'x7-old',
        tls: 'verify-ca',
      };
      id = Number(await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'Shop', settings }));
      return () => jobs.close();
    });

    const change = (updateConfigs: object, token = jobs.token) =>
      jobs.open(jobCalls.changeDataSource, { dataSourceId: id, updateConfigs }, { token });
    const mails = async () =>
      (await jobs.backend.queued()).filter(({ subject }) => subject === 'The connection of a data source was changed');

    test('is mailed to the owner with both addresses, the time, the session, and what to do', async () => {
      expect((await change({ host: 'evil.example' })).body.success).toBe(true);
      const [mail, ...more] = await mails();
      expect(more).toEqual([]);
      expect(mail?.to).toBe('owner@site.example');
      const at = `${new Date(jobs.backend.services.now()).toISOString().slice(0, 13).replace('T', ' ')}:`;
      for (const part of [
        'The data source “Shop” of your account now leads to evil.example:5432 as ada.',
        'Before, it led to db.example:5432 as ada.',
        `It was changed on ${at}`,
        'in a console session that began on ',
        "change the user's password at the database",
        '/console/api-keys',
      ])
        expect(mail?.text).toContain(part);
      expect(JSON.stringify(mail)).not.toContain('x7-old');
    });

    test('is mailed once per change, for port and user too, with the name of the API key', async () => {
      const wanted = { name: 'nightly <b>', groups: ['datasource'] };
      const key = (await jobs.open(jobCalls.createApiKey, wanted)).body.data;
      const token = `${key.accessKey}.${key.secret}`;
      await change({ port: '6432' }, token);
      await change({ port: '6432' }, token);
      // Mails are queued by their time.
      jobs.backend.pass(1);
      await change({ user: 'bob', host: 'db.example' }, token);
      const told = (await mails()).map(({ text, html }) => [text, html]);
      expect(told).toHaveLength(2);
      expect(told[0]?.[0]).toContain('now leads to db.example:6432 as ada. Before, it led to db.example:5432 as ada.');
      expect(told[1]?.[0]).toContain('now leads to db.example:6432 as bob. Before, it led to db.example:6432 as ada.');
      expect(told[0]?.[0]).toContain('with the API key “nightly <b>”');
      expect(told[0]?.[1]).toContain('“nightly &lt;b&gt;”');
    });

    test('is mailed if TLS protects less or trusts another authority, in one mail with a new address', async () => {
      await change({ ca: 'another' });
      jobs.backend.pass(1);
      await change({ tls: 'require', port: 6432 });
      jobs.backend.pass(1);
      // Nothing is compared with it any more.
      await change({ ca: 'a third' });
      await change({ tls: 'disable' });
      const told = (await mails()).map(({ text }) => text);
      expect(told).toHaveLength(3);
      expect(told[0]).toContain('The data source “Shop” of your account now trusts another certificate authority.');
      expect(told[1]).toContain('now leads to db.example:6432 as ada. Before, it led to db.example:5432 as ada.');
      expect(told[1]).toContain(
        'It now also uses the TLS mode require. Before, it used verify-ca, which protects more.',
      );
      expect(told[2]).toContain('account now uses the TLS mode disable. Before, it used require, which protects more.');
    });

    test('is not mailed if it is refused, comes with a password, or leads to the same place', async () => {
      await change({ host: 'db2.example', password: 'x7-new' });
      await change({ tls: 'verify-full' });
      await change({ host: 'db2.example' });
      expect((await change({ host: 'db3.example', port: 'none' })).body.success).toBe(false);
      // Without a password, none is sent anywhere.
      await change({ password: '' });
      await change({ host: 'db4.example' });
      expect(await mails()).toEqual([]);
    });

    test('is mailed at most 20 times an hour', async () => {
      for (let port = 1; port <= 25; port += 1) await change({ port });
      expect(await mails()).toHaveLength(20);
      jobs.backend.pass(3_600_001);
      await change({ port: 99 });
      expect(await mails()).toHaveLength(21);
    });
  },
);
