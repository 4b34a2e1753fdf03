import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { sign } from '../../../server/jobs/keys/signature.ts';
import { newJob } from '../../../server/testing/job-fixtures.ts';
import { patience } from '../../../server/testing/patience.ts';
import { createDatabase } from '../../../server/testing/postgres.ts';
import { settingsOf } from '../../../server/testing/postgres-source.ts';
import { startSite } from '../site.ts';
import { newAccount } from './account.ts';

const env = { ALLOW_PLAIN_PASSWORD: 'on', LOG_LEVEL: 'trace' };
const canary = (name: string) => `${name}-${randomBytes(9).toString('hex')}`;
const created = z.object({ accessKey: z.string(), secret: z.string() });
const detail = z.looseObject({ tables: z.array(z.looseObject({ source: z.string(), state: z.string() })) });

test('no password, secret, row value or key appears in the log, events, errors or the console store', async () => {
  const site = await startSite({ env });
  const addresses = [await createDatabase(inject('postgresUrl')), await createDatabase(inject('postgresUrl'))] as const;
  const [source, target] = addresses.map((connectionString) => new pg.Client({ connectionString }));
  if (!source || !target) throw new Error('There are two.');
  await Promise.all([source.connect(), target.connect()]);
  const secrets = { 'password of a data source': canary('pw'), 'another password': canary('pw') };
  const rows = { 'row value': canary('val'), 'row key': canary('key'), 'key of a changed row': canary('key') };
  try {
    const owner = await newAccount(site, 'ada@site.example');
    const told: unknown[] = [];
    /** The response to a call by session, including refusals. */
    const ask = async (
      path: string,
      body: object,
      headers: Record<string, string> = { Authorization: `Bearer ${owner.token}` },
    ) => {
      const response = await fetch(site.url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      const answer = z.looseObject({ data: z.unknown() }).parse(await response.json());
      told.push(answer);
      return answer.data;
    };
    /** Such a call times out after some seconds, before a starved machine has even started its process. */
    const askDatabase = (path: string, body: object) => vi.waitFor(() => ask(path, body), patience);

    // One table is refused while it is copied and one while it is followed; the target's own messages contain the row.
    await source.query(`CREATE TABLE item (id text PRIMARY KEY, note text); CREATE TABLE part (LIKE item INCLUDING ALL);
      INSERT INTO item SELECT '${rows['row key']}-' || i, '${rows['row value']}-' || i FROM generate_series(1, 300) i`);
    await target.query(`CREATE TABLE item (id text PRIMARY KEY, note text CHECK (length(note) < 8));
      CREATE TABLE part (LIKE item INCLUDING ALL)`);
    const add = async (address: string, password: string, changes: object = {}) => {
      const settings = { ...settingsOf(address), password, ...changes };
      return Number(await ask(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'a', settings }));
    };
    const from = await add(addresses[0], secrets['password of a data source']);
    const to = await add(addresses[1], secrets['another password']);
    const silent = await add(addresses[0], secrets['another password'], { port: 1 });
    for (const dataSourceId of [from, silent]) {
      await askDatabase(jobCalls.testDataSource, { clusterId: 1, dataSourceId, hostType: 'PRIVATE' });
    }
    const [db, targetDb] = addresses.map((address) => new URL(address).pathname.slice(1));
    const request = newJob(from, to, '', {
      srcSchema: JSON.stringify([
        { db, schemas: [{ schema: 'public', tables: [{ table: 'item' }, { table: 'part' }] }] },
      ]),
      dstSchema: JSON.stringify([{ db: targetDb }]),
      structMigration: false,
    });
    await askDatabase(jobCalls.precheck, request);

    const { accessKey, secret } = created.parse(await ask(jobCalls.createApiKey, { name: 'shell' }));
    // The only response that may contain it.
    told.pop();
    const nonce = randomUUID();
    const method = 'HmacSHA1';
    const signature = sign(secret, { accessKey, method, nonce });
    const query = new URLSearchParams({
      AccessKeyId: accessKey,
      SignatureMethod: method,
      SignatureNonce: nonce,
      Signature: signature,
    });
    const jobId = Number(await ask(`${jobCalls.createJob}?${query}`, request, {}));
    await ask(jobCalls.listJobs, {}, { Authorization: `Bearer ${accessKey}.${secret}x` });
    const states = async () => {
      const { tables } = detail.parse(await ask(jobCalls.jobDetail, { jobId }));
      return Object.fromEntries(tables.map((table) => [table.source, table.state]));
    };
    await expect.poll(states).toEqual({ 'public.item': 'blocked', 'public.part': 'live' });
    await source.query(`INSERT INTO part
      SELECT '${rows['key of a changed row']}-' || i, '${rows['row value']}-' || i FROM generate_series(1, 300) i`);
    await expect.poll(states).toEqual({ 'public.item': 'blocked', 'public.part': 'blocked' });

    // Lines arrive after the events they report, so the whole log is checked.
    await fetch(`${site.url}/pricing`);
    await expect.poll(() => site.output()).toContain('"route":"/pricing"');
    const output = site.output();
    expect(output).toContain(jobCalls.createJob);
    const files = readdirSync(site.dataDir).filter((name) => name.startsWith('console.sqlite'));
    const store = files.map((name) => readFileSync(join(site.dataDir, name), 'latin1')).join('');
    expect(store).toContain('item');
    const places = { output, told: JSON.stringify(told), store };
    const wanted = { ...secrets, ...rows, 'secret of a key': secret, signature, token: owner.token };
    const found = Object.entries(places).flatMap(([place, text]) =>
      Object.entries(wanted).flatMap(([name, value]) => (text.includes(value) ? [`${name} in ${place}`] : [])),
    );
    expect(found).toEqual([]);
  } finally {
    await Promise.all([source.end(), target.end()]);
    await site.stop();
  }
});
