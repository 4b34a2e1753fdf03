import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type Call, calls } from '../../../client/contract/calls.ts';
import { type Asker, askers, callMatrix, makeWorld, type World } from '../../testing/call-matrix.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { type StripeStandIn, startStripe } from '../../testing/stripe.ts';
import { consoleCalls } from './calls.ts';

const allCalls = Object.values(calls);
let payments: StripeStandIn;
beforeAll(async () => {
  payments = await startStripe();
});
afterAll(() => payments.close());

test('the server answers exactly the calls of the contract', () => {
  expect(consoleCalls.map(({ path }) => path).toSorted()).toEqual(allCalls.toSorted());
  expect(Object.keys(callMatrix).toSorted()).toEqual(allCalls.toSorted());
});

describe.each(['sqlite', 'postgres'] as const)('calls on %s', (kind) => {
  let backend: TestConsole;
  let world: World;
  beforeAll(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    const env = {
      ALLOW_PLAIN_PASSWORD: 'on',
      MARKETPLACE_LOCAL: 'on',
      STRIPE_SECRET_KEY: 'sk_test_key',
      STRIPE_WEBHOOK_SECRET: 'whsec_test_secret',
      STRIPE_API_URL: payments.url,
    };
    backend = await openTestConsole(env, url);
    const { builtDownloads } = backend.services;
    mkdirSync(builtDownloads, { recursive: true });
    writeFileSync(join(builtDownloads, 'millrace-0.2.0-source-any.tar.gz'), 'source');
    world = await makeWorld(backend);
  });
  afterAll(() => backend.close());
  // Keeps calls of other tests from reaching a per-minute limit.
  beforeEach(() => backend.pass(60_000));

  async function ask(path: Call, asker: Asker, body: object) {
    const token = await world.session(asker);
    return backend.post(path, body, token === undefined ? {} : { token });
  }

  const outcomeOf = ({ status, body }: Response) =>
    status === 401 ? 401 : status === 204 || body.success === true ? 'answered' : body.code;

  describe('each caller gets only their own data, the owner last', () => {
    const cases = allCalls.flatMap((path) => askers.toReversed().map((asker) => [path, asker] as const));
    test.each(cases)('%s, %s', async (path, asker) => {
      const answer = await ask(path, asker, await callMatrix[path].body(world));
      expect(outcomeOf(answer)).toBe(callMatrix[path].outcomes[asker]);
      if (asker === 'owner') return;
      const text = JSON.stringify(answer.body);
      expect([...world.marks].filter((mark) => text.includes(mark))).toEqual([]);
    });
  });

  describe('a body outside the contract is refused by field and never causes a server error', () => {
    const hostile = [
      null,
      -1,
      1.5,
      1e300,
      '',
      ' ',
      'x'.repeat(6000),
      '\ud800',
      "' OR 1=1 --",
      [],
      {},
      true,
      '__proto__',
    ];

    test.each(allCalls)('%s', async (path) => {
      const good = await callMatrix[path].body(world);
      const unknown = await ask(path, 'owner', { ...good, surplus: 1 });
      expect([unknown.status, unknown.body.fields?.surplus]).toEqual([400, 'Unknown field.']);
      const bodies: object[] = Object.keys(good).flatMap((field) => [
        ...hostile.map((value) => ({ ...good, [field]: value })),
        Object.fromEntries(Object.entries(good).filter(([name]) => name !== field)),
      ]);
      for (const body of bodies) {
        const answer = await ask(path, 'owner', body);
        expect(answer.status, JSON.stringify(body).slice(0, 300)).toBeLessThan(500);
        if (answer.status === 204) continue;
        expect(typeof answer.body.success).toBe('boolean');
      }
    });
  });
});
