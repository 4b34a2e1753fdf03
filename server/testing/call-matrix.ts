import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { calls } from '../../client/contract/calls.ts';
import { dayMs, dayOf } from '../../client/contract/dates.ts';
import { type CodePurpose, createCode } from '../console/account/codes.ts';
import { hashPassword } from '../console/account/passwords.ts';
import { beginSession } from '../console/account/sessions.ts';
import { mailTarget } from '../console/account/targets.ts';
import { makeDailyBills } from '../console/billing/daily-bills.ts';
import { importUsage } from '../console/billing/import-usage.ts';
import { makeInvoice } from '../console/billing/invoices.ts';
import type { ConsoleErrorCode } from '../console/errors.ts';
import { writeApplyCode } from '../console/licensing/apply-code.ts';
import { licenceSigningKey } from '../console/licensing/licence-key.ts';
import { completeOrder, createOrder } from '../console/licensing/orders.ts';
import { quoteLicence } from '../console/licensing/quote.ts';
import { writeLocalToken } from '../console/marketplace/local.ts';
import { subscribe, subscriptionOf } from '../console/saas/subscriptions.ts';
import type { TestConsole } from './console.ts';
import { storeAccount } from './store-account.ts';

/**
 * Who makes the call: the owner of what a body refers to, another signed-in user, a visitor, and the owner after
 * signing out.
 */
export const askers = ['owner', 'other', 'anonymous', 'signed out'] as const;
export type Asker = (typeof askers)[number];

/** What a caller gets: `data`, a business refusal, or an HTTP status such as 401. */
export type Outcome = 'answered' | ConsoleErrorCode | 401;

export interface CallRow {
  /** A body that works for the owner, created anew for each request. */
  body(world: World): Promise<object> | object;
  outcomes: Record<Asker, Outcome>;
}

const everyone = (outcome: Outcome): CallRow['outcomes'] => ({
  owner: outcome,
  other: outcome,
  anonymous: outcome,
  'signed out': outcome,
});
const signedIn = (owner: Outcome, other: Outcome): CallRow['outcomes'] => ({
  owner,
  other,
  anonymous: 401,
  'signed out': 401,
});
/** A call about the caller's own things: another user gets theirs. */
const own = signedIn('answered', 'answered');

const verifyType = 'EMAIL_VERIFY_CODE';
const newPassword = 'a password that nobody guesses';
const productType = 'MILLRACE';
const oneMonth = { num: 1, unit: 'MONTH' } as const;

/** An installation with an owner who has one of everything, and another user who has nothing. */
export interface World {
  backend: TestConsole;
  owner: { uid: string; email: string; installation: string };
  /** Texts that only the owner's answers may contain. */
  marks: Set<string>;
  session(asker: Asker): Promise<string | undefined>;
  code(email: string, purpose: CodePurpose): Promise<string>;
  order(status: 'WAIT_PAY' | 'ISSUED'): Promise<string>;
  quote(): Promise<string>;
  bill: string;
  invoice: string;
  subscription(): Promise<string>;
}

const ownerPassword = 'the owner has a long password';
const idRow = z.object({ id: z.string() });

/** @param backend with `ALLOW_PLAIN_PASSWORD` and `MARKETPLACE_LOCAL` */
export async function makeWorld(backend: TestConsole): Promise<World> {
  const { services } = backend;
  const { database, now } = services;
  const email = 'owner@site.example';
  const account = (username: string, address: string, passwordHash: string, createdAt: number) =>
    storeAccount(database, address, { username, passwordHash, now: createdAt });
  const passwordHash = await hashPassword(ownerPassword);
  const uid = await account('Ada the owner', email, passwordHash, now() - 1);
  const other = await account('Eve', 'other@site.example', passwordHash, now());
  const installation = `installation-${randomUUID()}`;
  await importUsage(database, {
    id: 'usage',
    uid,
    day: dayOf(now() - dayMs),
    dataJobId: 'job-of-the-owner',
    dataJobName: 'orders of the owner',
    item: 'INCREMENT',
    rows: 5_000_000,
  });
  await makeDailyBills(services);
  const lines = [{ text: 'Usage of the owner', amount: 100 }];
  const invoice = await database.transaction((queries) =>
    makeInvoice(queries, services, { uid, lines, status: 'OPEN' }),
  );
  const bill = (await database.one(idRow, 'SELECT id FROM bill'))?.id ?? '';
  const marks = new Set([uid, email, 'Ada the owner', installation, bill, invoice, 'orders of the owner']);

  const wanted = { edition: 'ENTERPRISE', links: 2, period: oneMonth } as const;
  const world: World = {
    backend,
    owner: { uid, email, installation },
    marks,
    bill,
    invoice,
    async session(asker) {
      if (asker === 'anonymous') return undefined;
      const { token } = await beginSession(database, { uid: asker === 'other' ? other : uid, browser: '', now: now() });
      if (asker === 'signed out') await backend.post(calls.logout, undefined, { token });
      return token;
    },
    code: (address, purpose) => createCode(database, mailTarget(address), purpose, { ...services, now: now() }),
    async quote() {
      // A separate installation: a licence's remaining time would change the next price.
      const applyCode = writeApplyCode({ installation: `installation-${randomUUID()}`, used: 1 });
      const { id } = await quoteLicence(services, uid, { ...wanted, applyCode });
      marks.add(id);
      return id;
    },
    async order(status) {
      const { id } = await createOrder(services, uid, await world.quote(), 'BANK_TRANSFER', undefined);
      marks.add(id);
      const signing = await licenceSigningKey(services);
      if (status === 'ISSUED')
        await database.transaction((queries) => completeOrder(queries, services, signing, id, 'operator'));
      return id;
    },
    async subscription() {
      await database.transaction((queries) => subscribe(queries, uid, now()));
      const { subscriptionId = '' } = await subscriptionOf(database, uid);
      marks.add(subscriptionId);
      return subscriptionId;
    },
  };
  return world;
}

const applyCodeOf = ({ owner: { installation } }: World) => writeApplyCode({ installation, used: 1 });
const newcomerForm = async (world: World) => {
  const email = `${randomUUID()}@new.example`;
  return { userName: 'New', email, verifyCode: await world.code(email, 'REGISTER'), password: newPassword };
};
const sendCode = () => ({ email: `${randomUUID()}@new.example`, verifyType, verifyCodeType: 'REGISTER' });
/** One a minute per target: a caller who requests another code skips ahead in time first. */
const sendOwnCode = ({ backend }: World) => {
  backend.pass(61 * 60_000);
  return { verifyType, verifyCodeType: 'LOGIN' };
};

/** Every console call, and what each caller gets; a call missing here does not compile. */
export const callMatrix: Record<(typeof calls)[keyof typeof calls], CallRow> = {
  [calls.addViewLog]: { body: () => ({ uri: '/' }), outcomes: everyone('answered') },
  [calls.getPublicKey]: { body: () => ({}), outcomes: everyone('answered') },
  [calls.login]: {
    body: async (world) => {
      const { email } = world.owner;
      return { account: email, loginType: 'VERIFY', verifyCode: await world.code(email, 'LOGIN'), verifyType };
    },
    outcomes: everyone('answered'),
  },
  [calls.register]: { body: newcomerForm, outcomes: everyone('answered') },
  [calls.registerFromMarket]: {
    body: async (world) => {
      const { secretKey, now } = world.backend.services;
      const purchase = { purchase: randomUUID(), customer: 'c', product: 'p' };
      const registerToken = writeLocalToken(secretKey, purchase, now());
      return { ...(await newcomerForm(world)), marketplaceType: 'AWS', registerToken };
    },
    outcomes: everyone('answered'),
  },
  [calls.resetPasswordUnlogin]: {
    body: async (world) => ({
      email: world.owner.email,
      verifyCode: await world.code(world.owner.email, 'RESET_PASSWORD'),
      password: ownerPassword,
    }),
    outcomes: everyone('answered'),
  },
  [calls.logout]: { body: () => ({}), outcomes: everyone('answered') },
  // Its other answers need a provider: see server/console/sso.
  [calls.auth]: { body: () => ({ state: 'none of ours', code: 'code' }), outcomes: everyone('SSO_FAILED') },
  [calls.sendCode]: { body: sendCode, outcomes: everyone('answered') },
  [calls.sendCodeShort]: { body: sendCode, outcomes: everyone('answered') },
  [calls.sendCodeInLoginState]: { body: sendOwnCode, outcomes: own },
  [calls.sendCodeInLoginStateA]: { body: sendOwnCode, outcomes: own },
  [calls.listCountry]: { body: () => ({}), outcomes: everyone('answered') },
  [calls.ssoType]: {
    body: () => ({ source: 'https://search.example/', target: 'sign_in' }),
    outcomes: everyone('answered'),
  },
  [calls.listDownloadProduct]: { body: () => ({ orderProductType: 'ENTERPRISE' }), outcomes: own },
  [calls.queryLoginUser]: { body: () => ({}), outcomes: own },
  [calls.updateUserEmail]: {
    // To the owner's own address; no one else can take it, with or without the code.
    body: async (world) => ({
      email: world.owner.email,
      verifyCode: await world.code(world.owner.email, 'UPDATE_EMAIL'),
      password: ownerPassword,
    }),
    outcomes: signedIn('answered', 'BAD_CODE'),
  },
  [calls.updateProfile]: { body: () => ({ company: 'Mill Ltd', country: 'DE' }), outcomes: own },
  [calls.changePassword]: {
    body: () => ({ oldPassword: ownerPassword, password: ownerPassword }),
    outcomes: own,
  },
  [calls.listSessions]: { body: () => ({}), outcomes: own },
  [calls.endSessions]: { body: () => ({ id: 'a-session-that-is-none' }), outcomes: own },
  [calls.listIdentities]: { body: () => ({}), outcomes: own },
  [calls.removeIdentity]: { body: () => ({ issuer: 'https://id.example', subject: 'nobody' }), outcomes: own },
  [calls.recordAndReturnDownloadUrl]: {
    body: () => ({ productType: 'millrace-0.2.0-source-any', productVersionType: 'COMMUNITY_VERSION' }),
    outcomes: own,
  },
  [calls.getBuyTimeStandard]: { body: () => ({ productType, edition: 'ENTERPRISE' }), outcomes: own },
  [calls.queryOldResource]: { body: (world) => ({ applyCode: applyCodeOf(world) }), outcomes: own },
  [calls.calculatePrice]: {
    body: (world) => ({
      applyCode: applyCodeOf(world),
      productType,
      edition: 'ENTERPRISE',
      links: 2,
      period: oneMonth,
    }),
    outcomes: own,
  },
  [calls.getCurrentLadderDiscount]: { body: () => ({}), outcomes: own },
  [calls.createOrder]: {
    body: async (world) => ({ quoteId: await world.quote(), payMethod: 'BANK_TRANSFER' }),
    outcomes: signedIn('answered', 'QUOTE_ENDED'),
  },
  [calls.queryOrders]: { body: () => ({ page: 1, pageSize: 100 }), outcomes: own },
  [calls.showAuthCode]: {
    body: async (world) => ({
      orderId: await world.order('ISSUED'),
      verifyType,
      verifyCode: await world.code(world.owner.email, 'SHOW_AUTH_CODE'),
    }),
    outcomes: signedIn('answered', 'NO_ORDER'),
  },
  [calls.closeOrder]: {
    body: async (world) => ({ orderId: await world.order('WAIT_PAY') }),
    outcomes: signedIn('answered', 'NO_ORDER'),
  },
  [calls.installation]: { body: () => ({}), outcomes: signedIn('answered', 'NOT_OWNER') },
  // With a seller's key: see server/console/licensing/installation.test.ts.
  [calls.install]: { body: () => ({ authCode: 'a.b.c' }), outcomes: signedIn('NO_LICENCE_NEEDED', 'NOT_OWNER') },
  [calls.getConfigValue]: { body: () => ({}), outcomes: own },
  [calls.listPaymentMethods]: { body: () => ({}), outcomes: own },
  [calls.createSession]: {
    body: ({ invoice }) => ({ purpose: 'PAY_INVOICE', invoiceId: invoice }),
    outcomes: signedIn('answered', 'NO_INVOICE'),
  },
  [calls.subscription]: { body: () => ({ action: 'READ' }), outcomes: own },
  [calls.cancelSubscription]: {
    body: async (world) => ({ subscriptionId: await world.subscription(), reason: 'moved' }),
    outcomes: signedIn('answered', 'NO_SUBSCRIPTION'),
  },
  [calls.listInvoices]: { body: () => ({}), outcomes: own },
  [calls.listBilling]: { body: () => ({}), outcomes: own },
  [calls.getBillingDetail]: { body: ({ bill }) => ({ id: bill }), outcomes: signedIn('answered', 'NO_BILL') },
};
