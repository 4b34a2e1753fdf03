import { beforeEach, describe, expect, inject, test } from 'vitest';
import { calls } from '../../../client/contract/calls.ts';
import { ConfigError } from '../../config/read-settings.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { newcomer, signInAgain } from '../../testing/newcomer.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { readApplyCode } from './apply-code.ts';
import { signAuthCode } from './auth-code.ts';
import { licencePublicKey, licenceSigningKey } from './licence-key.ts';

const minute = 60_000;
const day = 86_400_000;

describe.each(['sqlite', 'postgres'] as const)("a customer's installation on %s", (kind) => {
  let seller: TestConsole;
  let customer: TestConsole;
  let owner: { uid: string; token: string };
  const open = async (env: Record<string, string> = {}) =>
    openTestConsole(env, kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined);
  beforeEach(async () => {
    seller = await open();
    customer = await open({ LICENCE_PUBLIC_KEY: await licencePublicKey(seller.services) });
    owner = await newcomer(customer, 'ada@site.example');
    return async () => {
      await seller.close();
      await customer.close();
    };
  });

  const look = async () => (await customer.post(calls.installation, undefined, { token: owner.token })).body;
  const enter = async (authCode: string) =>
    (await customer.post(calls.install, { authCode }, { token: owner.token })).body;

  /** The result of an order at the seller. */
  async function authCode(changes: { installation?: string; from?: number; to?: number } = {}, by = seller) {
    const { installation } = readApplyCode((await look()).data.applyCode);
    const now = customer.services.now();
    const licence = {
      id: 'l',
      installation,
      edition: 'ENTERPRISE',
      links: 20,
      from: now,
      to: now + 30 * day,
      replaces: [],
    } as const;
    return signAuthCode({ ...licence, ...changes }, await licenceSigningKey(by.services));
  }

  test('its owner is the first account, even if a fast clock is set back later', async () => {
    // Two in the same millisecond, then one that seems older.
    const others = [await newcomer(customer, 'ben@site.example')];
    customer.pass(-365 * day);
    others.push(await newcomer(customer, 'cleo@site.example'));
    for (const { token } of others)
      expect((await customer.post(calls.installation, undefined, { token })).body.code).toBe('NOT_OWNER');
    expect((await look()).success).toBe(true);
  });

  test('it has the free links, those of its code while valid, and then the free ones again', async () => {
    const { data: free } = await look();
    expect(free).toEqual({
      applyCode: expect.stringMatching(/^MRA1\./),
      edition: 'COMMUNITY',
      links: 5,
      used: 0,
      from: null,
      to: null,
      ended: null,
    });
    const now = customer.services.now();
    // A mail program has wrapped its lines.
    const broken = (await authCode()).replace(/.{60}/g, '$&\r\n');
    const licensed = { edition: 'ENTERPRISE', links: 20, from: now, to: now + 30 * day };
    expect(await enter(broken)).toEqual({ success: true, data: { ...free, ...licensed } });
    expect((await look()).data).toEqual({ ...free, ...licensed });
    customer.pass(30 * day);
    owner.token = await signInAgain(customer, owner.uid);
    expect((await look()).data).toEqual({ ...free, ended: licensed.to });
  });

  test('a forged code, one for another installation or one not valid today is refused and changes nothing', async () => {
    const now = customer.services.now();
    await enter(await authCode());
    for (const [wrong, code] of [
      ['nonsense', 'BAD_AUTH_CODE'],
      [`${await authCode()}x`, 'BAD_AUTH_CODE'],
      [await authCode({}, customer), 'BAD_AUTH_CODE'],
      [await authCode({ from: now - 2 * day, to: now - day }), 'BAD_AUTH_CODE'],
      [await authCode({ from: now + day }), 'BAD_AUTH_CODE'],
      [await authCode({ installation: 'another-installation' }), 'OTHER_INSTALLATION'],
    ] as const) {
      expect((await enter(wrong)).code).toBe(code);
    }
    expect((await look()).data.links).toBe(20);
  });

  test('a new code is accepted even if the clock is some minutes behind the seller’s', async () => {
    const from = customer.services.now() + 4 * minute;
    expect(await enter(await authCode({ from }))).toMatchObject({ data: { edition: 'ENTERPRISE', links: 20, from } });
    expect((await enter(await authCode({ from: from + 2 * minute }))).code).toBe('BAD_AUTH_CODE');
  });

  test('a licence credited towards a newer one ends when that is entered, and stays ended', async () => {
    const buyer = await newcomer(seller, 'ada@site.example', 10_000_000);
    const ask = async (path: string, about: object) => {
      buyer.token = await signInAgain(seller, buyer.uid);
      return (await seller.post(path, about, { token: buyer.token })).body.data;
    };
    const verifyType = 'EMAIL_VERIFY_CODE';
    /** Orders a licence, paid entirely by credits. @returns its code */
    const buy = async (links: number, days: number): Promise<string> => {
      const { applyCode } = (await look()).data;
      const about = { productType: 'P', edition: 'ENTERPRISE', links, period: { num: days, unit: 'DAY' } };
      const { quoteId } = await ask(calls.calculatePrice, { ...about, applyCode });
      const { orderId } = await ask(calls.createOrder, { quoteId, payMethod: 'BANK_TRANSFER' });
      await ask(calls.sendCodeInLoginState, { verifyType, verifyCodeType: 'SHOW_AUTH_CODE' });
      const verifyCode = (await seller.queued()).findLast(({ code }) => code !== undefined)?.code;
      return (await ask(calls.showAuthCode, { orderId, verifyType, verifyCode })).authCode;
    };
    const passBoth = async (time: number) => {
      for (const one of [seller, customer]) one.pass(time);
      owner.token = await signInAgain(customer, owner.uid);
    };
    const first = await buy(10, 15);
    expect((await enter(first)).data.links).toBe(10);
    await passBoth(day);
    const second = await buy(20, 7);
    // Until the new one is entered, the old one stays valid.
    expect((await look()).data.links).toBe(10);
    await passBoth(60_000);
    const third = await buy(30, 7);
    expect((await enter(third)).data.links).toBe(30);
    for (const old of [first, second]) expect((await enter(old)).code).toBe('CODE_REPLACED');
    expect((await enter(third)).data.links).toBe(30);
    await passBoth(8 * day);
    expect((await enter(first)).code).toBe('CODE_REPLACED');
    expect((await look()).data.links).toBe(5);
  });

  test('only its first account can see and change its licence', async () => {
    const code = await authCode();
    customer.pass(1);
    const { token } = await newcomer(customer, 'eve@site.example');
    expect((await customer.post(calls.installation, undefined, { token })).body.code).toBe('NOT_OWNER');
    expect((await customer.post(calls.install, { authCode: code }, { token })).body.code).toBe('NOT_OWNER');
    expect((await look()).data.links).toBe(5);
  });

  test('without a seller’s key nothing is limited, and no code is accepted', async () => {
    const { token } = await newcomer(seller, 'ada@site.example');
    const { body } = await seller.post(calls.installation, undefined, { token });
    expect(body.data).toMatchObject({ edition: 'COMMUNITY', links: null });
    const refused = await seller.post(calls.install, { authCode: await authCode() }, { token });
    expect(refused.body.code).toBe('NO_LICENCE_NEEDED');
  });
});

test('an invalid licence key makes the start fail', async () => {
  for (const key of ['x', '{}', '{"kty":"RSA"}'])
    await expect(openTestConsole({ LICENCE_PUBLIC_KEY: key })).rejects.toThrow(ConfigError);
});
