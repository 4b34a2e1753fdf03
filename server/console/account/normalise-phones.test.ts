import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, inject, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { dayMs } from '../../../client/contract/dates.ts';
import { migrate } from '../../storage/migrate.ts';
import { openPostgres } from '../../storage/postgres.ts';
import { openTestConsole } from '../../testing/console.ts';
import { patientStore } from '../../testing/patience.ts';
import { createDatabase } from '../../testing/postgres.ts';
import { storeAccount } from '../../testing/store-account.ts';
import { runDueTasks } from '../tasks/run-tasks.ts';
import { smsTarget } from './targets.ts';

test('numbers that an earlier version stored with their zero sign in, and two of the same are named', async () => {
  const url = await createDatabase(inject('postgresUrl'));
  const older = mkdtempSync(join(tmpdir(), 'millrace-older-'));
  onTestFinished(() => rmSync(older, { recursive: true }));
  cpSync(join(import.meta.dirname, '../migrations'), older, { recursive: true });
  for (const name of readdirSync(older).filter((file) => file >= '0056')) rmSync(join(older, name));
  const before = openPostgres(url, pino({ level: 'silent' }), patientStore);
  await migrate(before, older);
  const store = (phone: string) => storeAccount(before, '', { target: smsTarget(phone) });
  const found = await store('+4901511234567');
  const [old, newer] = [await store('+4901701234567'), await store('+491701234567')];
  await before.close();

  const backend = await openTestConsole({ DEPLOY_SITE: 'china' }, url);
  onTestFinished(() => backend.close());
  const { services, logged } = backend;
  await runDueTasks(services);
  const signIn = async (account: string) => {
    const asked = {
      phoneAreaCode: '+49',
      phoneNumber: account,
      verifyType: 'SMS_VERIFY_CODE',
      verifyCodeType: 'LOGIN',
    };
    await backend.post(calls.sendCode, asked);
    await runDueTasks(services);
    const verifyCode = backend.sent.at(-1)?.code;
    const { body } = await backend.post(calls.login, { account: `+49${account}`, loginType: 'VERIFY', verifyCode });
    return (await backend.post(calls.queryLoginUser, undefined, { token: body.data.token })).body.data.uid;
  };
  expect(await signIn('0151 1234567')).toBe(found);
  expect(await signIn('170 1234567')).toBe(newer);

  const told = () => logged.filter(({ level, uid }) => level === 40 && uid !== undefined);
  expect(told()).toMatchObject([{ uid: old, sameNumber: newer }]);
  backend.pass(dayMs);
  await services.database.run('DELETE FROM session');
  await services.database.run('DELETE FROM account WHERE uid = $1', [newer]);
  await runDueTasks(services);
  expect(await signIn('0170 1234567')).toBe(old);
  const task = "SELECT kind FROM task WHERE kind = 'normalise-phones'";
  expect([told().length, await services.database.all(z.object({ kind: z.string() }), task)]).toEqual([1, []]);
});
