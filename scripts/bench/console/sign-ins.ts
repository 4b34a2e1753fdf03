import { hash, verify } from '@node-rs/argon2';
import { calls } from '../../../client/contract/calls.ts';
import { hashPassword } from '../../../server/console/account/passwords.ts';
import type { Scene } from '../../../server/testing/kills/scene.ts';
import { storeAccount } from '../../../server/testing/store-account.ts';
import { type Row, round } from '../record.ts';
import { ask, perSecond } from './clients.ts';

const ms = 3_000;
/** As many as the server hashes at once. */
const clients = 4;
export const password = 'correct horse battery staple';

export async function accountWithPassword({ database }: Scene, email: string, passwordHash: string): Promise<void> {
  await storeAccount(database, email, { passwordHash });
}

/** Sign-ins per second at full strength, compared with the password comparison alone. */
export async function measureSignIns(scene: Scene): Promise<Row> {
  const account = 'signs-in@site.example';
  const stored = await hashPassword(password);
  await accountWithPassword(scene, account, stored);
  const signIns = await perSecond(clients, ms, () =>
    ask(scene, calls.login, { account, loginType: 'PASSWORD', password }),
  );
  const compared = await perSecond(clients, ms, () => verify(stored, password));
  return {
    what: `sign-ins, ${/m=\d+,t=\d+,p=\d+/.exec(await hash('', { memoryCost: 19_456, timeCost: 2, parallelism: 1 }))?.[0]}`,
    'a second': round(signIns, 1),
    limit: 'hash alone',
    'limit a second': round(compared, 1),
    ratio: round(signIns / compared, 2),
    'syncs ≥ commits': '',
  };
}
