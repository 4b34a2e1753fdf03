import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { type AwsMarketplaceStandIn, startAwsMarketplace } from '../../testing/marketplace.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { writeLocalToken } from './local.ts';

const minute = 60_000;
const hour = 60 * minute;
const bought = {
  CustomerAWSAccountId: '111122223333',
  LicenseArn: 'arn:aws:license-manager::294406891311:license:l-1',
  ProductCode: 'prod-millrace',
};

let aws: AwsMarketplaceStandIn;
beforeAll(async () => {
  aws = await startAwsMarketplace();
});
afterAll(() => aws.close());

describe.each(['sqlite', 'postgres'] as const)('marketplace sign-up on %s', (kind) => {
  let backend: TestConsole;
  const open = async (settings: Record<string, string>) => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole({ ...settings, ALLOW_PLAIN_PASSWORD: 'on' }, url);
  };
  beforeEach(async () => {
    aws.answers.clear();
    aws.asked.length = 0;
    await open(aws.settings);
    return () => backend.close();
  });
  afterEach(() => {
    expect(aws.faults.splice(0)).toEqual([]);
    expect(JSON.stringify(backend.logged)).not.toMatch(/buyer@|token-of|secret key|correct horse/);
  });

  async function form(email: string) {
    backend.pass(minute);
    const ask = { email, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'REGISTER' };
    await backend.post(calls.sendCode, ask);
    const verifyCode = (await backend.queued()).findLast(({ to, code }) => to === email && code)?.code ?? '';
    const password = 'correct horse battery staple';
    return { userName: 'Buyer', email, verifyCode, password, marketplaceType: 'AWS', clientId: 'f'.repeat(64) };
  }

  async function signUp(registerToken: string, email = 'buyer@site.example') {
    return (await backend.post(calls.registerFromMarket, { ...(await form(email)), registerToken })).body;
  }

  /** The form that a marketplace has a browser send. */
  const sendForm = (fields: Record<string, string> | string, type = 'application/x-www-form-urlencoded') =>
    request(backend.listener)
      .post(calls.registerFromMarket)
      .set('Content-Type', type)
      .set('X-Forwarded-For', '192.0.2.1')
      .send(typeof fields === 'string' ? fields : new URLSearchParams(fields).toString());

  async function referenceOf(token: string): Promise<string> {
    const answer = await sendForm({ 'x-amzn-marketplace-token': token, 'x-amzn-marketplace-offer-type': 'free-trial' });
    const location = String(answer.headers.location);
    expect([answer.status, answer.text, location]).toEqual([
      303,
      '',
      expect.stringMatching(/^\/registerFromMarket\?ref=[\w-]{43}&marketplace=AWS$/),
    ]);
    return new URL(location, 'http://site').searchParams.get('ref') ?? '';
  }

  const purchases = () =>
    backend.services.database.all(
      z.object({ marketplace: z.string(), purchase: z.string(), customer: z.string(), uid: z.string() }),
      'SELECT marketplace, purchase, customer, uid FROM marketplace_purchase',
    );

  test('the form redirects with a reference, the token stays on the server, and both work once', async () => {
    aws.answers.set('token-of-1', bought);
    const reference = await referenceOf('token-of-1');
    const kept = z.object({ reference_hash: z.string(), token: z.string() });
    const rows = await backend.services.database.all(kept, 'SELECT reference_hash, token FROM marketplace_reference');
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`token-of|${reference}`));
    expect(aws.asked).toEqual([]);

    const made = await signUp(reference);
    expect(made).toEqual({ success: true, data: { uid: expect.any(String) } });
    expect(aws.asked).toEqual(['token-of-1']);
    expect(await purchases()).toEqual([
      { marketplace: 'AWS', purchase: bought.LicenseArn, customer: bought.CustomerAWSAccountId, uid: made.data.uid },
    ]);
    // The reference is gone; treated as a token, it is unknown.
    expect((await signUp(reference, 'second@site.example')).code).toBe('BAD_MARKETPLACE_TOKEN');
    expect((await signUp('token-of-1', 'second@site.example')).code).toBe('PURCHASE_TAKEN');
  });

  test('a purchase has one account, whichever token leads to it', async () => {
    const { LicenseArn: _, ...older } = bought;
    aws.answers.set('token-of-1', older).set('token-of-2', older);
    expect((await signUp('token-of-1')).success).toBe(true);
    expect((await signUp('token-of-2', 'second@site.example')).code).toBe('PURCHASE_TAKEN');
    expect((await purchases()).map(({ purchase }) => purchase)).toEqual(['111122223333/prod-millrace']);
    const account = z.object({ email: z.string() });
    expect(await backend.services.database.all(account, 'SELECT email FROM account')).toEqual([
      { email: 'buyer@site.example' },
    ]);
  });

  test('of two parallel sign-ups with one token one succeeds', async () => {
    aws.answers.set('token-of-1', bought);
    const forms = [await form('buyer@site.example'), await form('second@site.example')];
    const both = forms.map((one) => backend.post(calls.registerFromMarket, { ...one, registerToken: 'token-of-1' }));
    const codes = (await Promise.all(both)).map(({ body }) => body.code ?? 'made');
    expect(codes.sort()).toEqual(['PURCHASE_TAKEN', 'made']);
  });

  test('a wrong code does not use up the reference', async () => {
    aws.answers.set('token-of-1', bought);
    const reference = await referenceOf('token-of-1');
    const wrong = { ...(await form('buyer@site.example')), registerToken: reference };
    const verifyCode = wrong.verifyCode === '000000' ? '000001' : '000000';
    expect((await backend.post(calls.registerFromMarket, { ...wrong, verifyCode })).body.code).toBe('BAD_CODE');
    expect((await signUp(reference)).success).toBe(true);
  });

  test('a reference is valid for an hour', async () => {
    aws.answers.set('token-of-1', bought);
    const reference = await referenceOf('token-of-1');
    backend.pass(hour);
    expect((await signUp(reference)).code).toBe('BAD_MARKETPLACE_TOKEN');
  });

  test.each([
    ['InvalidTokenException', 'BAD_MARKETPLACE_TOKEN'],
    ['ExpiredTokenException', 'BAD_MARKETPLACE_TOKEN'],
    ['ThrottlingException', 'MARKETPLACE_SILENT'],
    ['InternalServiceErrorException', 'MARKETPLACE_SILENT'],
    [{ ...bought, ProductCode: 'prod-other' }, 'BAD_MARKETPLACE_TOKEN'],
    [{ ProductCode: 'prod-millrace' }, 'MARKETPLACE_SILENT'],
  ])('the AWS answer %o is reported as %s', async (answer, code) => {
    aws.answers.set('token-of-1', answer);
    expect((await signUp('token-of-1')).code).toBe(code);
    expect([await purchases(), aws.asked.length]).toEqual([[], 1]);
  });

  test('an unreachable marketplace is reported as silent', async () => {
    await backend.close();
    const gone = await startAwsMarketplace();
    await gone.close();
    await open(gone.settings);
    expect((await signUp('token-of-1')).code).toBe('MARKETPLACE_SILENT');
  });

  test.each([
    ['without a token', {}],
    ['with an empty one', { 'x-amzn-marketplace-token': ' ' }],
    ['with one that is too long', { 'x-amzn-marketplace-token': 'x'.repeat(4097) }],
  ])('a form %s redirects to the page that says where to start', async (_name, fields) => {
    const { status, headers } = await sendForm(fields);
    expect([status, headers.location]).toEqual([303, '/registerFromMarket']);
  });

  test('bodies that are not forms are refused', async () => {
    expect((await sendForm('x'.repeat(8193))).status).toBe(413);
    expect((await sendForm('a=1', 'text/plain')).status).toBe(415);
    expect((await sendForm('{}', 'application/json')).status).toBe(400);
  });

  test('forms and calls from one IP address share a limit per minute', async () => {
    for (let left = 20; left > 0; left -= 1) await sendForm({});
    const { status, headers } = await sendForm({});
    expect([status, headers['retry-after']]).toEqual([429, '60']);
    const call = { ...(await form('buyer@site.example')), registerToken: 'x' };
    backend.pass(-minute);
    expect((await backend.post(calls.registerFromMarket, call)).status).toBe(429);
  });

  test('without a marketplace set up its tokens are refused', async () => {
    await backend.close();
    await open({});
    expect((await sendForm({ 'x-amzn-marketplace-token': 'token-of-1' })).headers.location).toBe('/registerFromMarket');
    expect((await signUp('token-of-1')).code).toBe('MARKETPLACE_NOT_OFFERED');
  });

  test("in development the command's token is accepted for four hours", async () => {
    await backend.close();
    await open({ MARKETPLACE_LOCAL: 'on' });
    const { secretKey, now } = backend.services;
    const made = (purchase: string) => writeLocalToken(secretKey, { purchase, customer: 'c', product: 'local' }, now());
    const [token, inTime, late] = [made('1'), made('2'), made('3')];
    expect((await signUp(await referenceOf(token))).success).toBe(true);
    for (const wrong of ['x', `${token}x`, `x${token}`, '.']) {
      expect((await signUp(wrong, 'second@site.example')).code).toBe('BAD_MARKETPLACE_TOKEN');
    }
    // Each sign-up takes a minute of its lifetime.
    backend.pass(4 * hour - 10 * minute);
    expect((await signUp(inTime, 'second@site.example')).success).toBe(true);
    backend.pass(10 * minute);
    expect((await signUp(late, 'third@site.example')).code).toBe('BAD_MARKETPLACE_TOKEN');
  });
});
