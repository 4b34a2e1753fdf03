import { beforeEach, describe, expect, inject, test } from 'vitest';
import { calls } from '../../../client/contract/calls.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { newcomer } from '../../testing/newcomer.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { writeApplyCode } from './apply-code.ts';
import { licenceSigningKey } from './licence-key.ts';
import { completeOrder } from './orders.ts';

const months = { num: 3, unit: 'MONTH' };

describe.each(['sqlite', 'postgres'] as const)('what is sold on %s', (kind) => {
  let backend: TestConsole;
  let token: string;
  beforeEach(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole({}, url);
    ({ token } = await newcomer(backend, 'ada@site.example'));
    return () => backend.close();
  });
  const post = async (path: (typeof calls)[keyof typeof calls], body: object = {}) =>
    (await backend.post(path, body, { token })).body;
  const installation = (number: number) => writeApplyCode({ installation: `installation-number-${number}`, used: 0 });

  async function order(links: number, number: number) {
    const wanted = { applyCode: installation(number), productType: 'P', edition: 'ENTERPRISE', links, period: months };
    const { quoteId } = (await post(calls.calculatePrice, wanted)).data;
    return (await post(calls.createOrder, { quoteId, payMethod: 'BANK_TRANSFER' })).data;
  }

  test.each([
    ['COMMUNITY', { periods: [months], minLinks: 5, maxLinks: 5 }],
    ['TRIAL', { periods: [months], minLinks: 30, maxLinks: 30 }],
    [
      'ENTERPRISE',
      {
        periods: [
          { num: 1, unit: 'DAY' },
          { num: 7, unit: 'DAY' },
          { num: 15, unit: 'DAY' },
          { num: 1, unit: 'MONTH' },
          { num: 2, unit: 'MONTH' },
          { num: 3, unit: 'MONTH' },
          { num: 6, unit: 'MONTH' },
          { num: 1, unit: 'YEAR' },
          { num: 2, unit: 'YEAR' },
          { num: 3, unit: 'YEAR' },
        ],
        minLinks: 1,
        maxLinks: 1000,
      },
    ],
  ])('%s is sold for these periods and numbers of links', async (edition, standard) => {
    expect((await post(calls.getBuyTimeStandard, { productType: 'P', edition })).data).toEqual(standard);
  });

  test('a plan that the operator removed from the prices is not sold', async () => {
    const { services } = backend;
    services.pricing = { ...services.pricing, plans: services.pricing.plans.filter(({ id }) => id === 'community') };
    const enterprise = { productType: 'P', edition: 'ENTERPRISE' };
    expect((await post(calls.getBuyTimeStandard, enterprise)).code).toBe('NOT_SOLD');
    const wanted = { ...enterprise, applyCode: installation(1), links: 1, period: months };
    expect((await post(calls.calculatePrice, wanted)).code).toBe('NOT_SOLD');
    expect((await post(calls.subscription, { action: 'SUBSCRIBE' })).code).toBe('NOT_SOLD');
    expect((await post(calls.getConfigValue)).data.editions).toEqual(['COMMUNITY']);
  });

  test('the seller’s rules name only the payment methods that are set up', async () => {
    const { data } = await post(calls.getConfigValue);
    expect(data).toMatchObject({
      linkHourPrice: { amount: 30, currency: 'USD' },
      trialDays: 90,
      newAccountCredits: { amount: 30_000, currency: 'USD' },
      currency: 'USD',
      payMethods: ['BANK_TRANSFER'],
      editions: ['ENTERPRISE', 'TRIAL', 'COMMUNITY'],
    });
    expect(JSON.parse(data.publicKey)).toMatchObject({ kty: 'OKP', crv: 'Ed25519' });
    expect(JSON.parse(data.publicKey)).not.toHaveProperty('d');
  });

  test('the discount steps are listed with the one that the largest licence reaches', async () => {
    const { data } = await post(calls.getCurrentLadderDiscount);
    expect(data.steps).toEqual([
      { minLinks: 1, rate: 0 },
      { minLinks: 5, rate: 0.05 },
      { minLinks: 10, rate: 0.1 },
      { minLinks: 20, rate: 0.15 },
      { minLinks: 50, rate: 0.2 },
    ]);
    expect(data.own.rate).toBe(0);
    const { orderId } = await order(12, 1);
    const { services } = backend;
    const signing = await licenceSigningKey(services);
    await services.database.transaction((queries) => completeOrder(queries, services, signing, orderId, 'operator'));
    expect((await post(calls.getCurrentLadderDiscount)).data.own).toEqual({ minLinks: 10, rate: 0.1 });
  });

  test('orders are listed in pages, newest first, and filtered by status', async () => {
    const ids = [];
    for (const number of [1, 2, 3]) {
      ids.push((await order(1, number)).orderId);
      backend.pass(1000);
    }
    await post(calls.closeOrder, { orderId: ids[1] });
    const page = async (about: object) => {
      const { total, items } = (await post(calls.queryOrders, about)).data;
      return [total, items.map(({ orderId }: { orderId: string }) => orderId)];
    };
    expect(await page({ page: 1, pageSize: 2 })).toEqual([3, [ids[2], ids[1]]]);
    expect(await page({ page: 2, pageSize: 2 })).toEqual([3, [ids[0]]]);
    expect(await page({ status: 'CLOSED' })).toEqual([1, [ids[1]]]);
    for (const wrong of [{ pageSize: 101 }, { page: 0 }, { status: 'LOST' }])
      expect((await post(calls.queryOrders, wrong)).code).toBe('INVALID_FIELDS');
  });

  test('the authorization code is not shown for a waiting order or a wrong verification code', async () => {
    const { orderId } = await order(1, 1);
    const ask = { orderId, verifyType: 'EMAIL_VERIFY_CODE', verifyCode: '123456' };
    expect((await post(calls.showAuthCode, ask)).code).toBe('ORDER_STATE');
    const { services } = backend;
    const signing = await licenceSigningKey(services);
    await services.database.transaction((queries) => completeOrder(queries, services, signing, orderId, 'operator'));
    expect((await post(calls.showAuthCode, ask)).code).toBe('BAD_CODE');
    expect((await post(calls.closeOrder, { orderId })).code).toBe('ORDER_STATE');
  });

  test('requests with one idempotency key create one order from two quotes', async () => {
    const wanted = { applyCode: installation(1), productType: 'P', edition: 'ENTERPRISE', links: 1, period: months };
    const quotes = [(await post(calls.calculatePrice, wanted)).data, (await post(calls.calculatePrice, wanted)).data];
    const create = async (quoteId: string, as = token) =>
      (
        await backend
          .post(calls.createOrder, { quoteId, payMethod: 'BANK_TRANSFER' }, { token: as })
          .set('Idempotency-Key', 'the same')
      ).body.data.orderId;
    const made = await create(quotes[0].quoteId);
    expect(await create(quotes[1].quoteId)).toBe(made);
    // Another account may have chosen the same key.
    const eve = await newcomer(backend, 'eve@site.example');
    const { quoteId } = (await backend.post(calls.calculatePrice, wanted, { token: eve.token })).body.data;
    const own = await create(quoteId, eve.token);
    expect(own).not.toBe(made);
    const { items } = (await backend.post(calls.queryOrders, {}, { token: eve.token })).body.data;
    expect(items).toMatchObject([{ orderId: own }]);
  });
});
