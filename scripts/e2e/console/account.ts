import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from 'playwright';
import { z } from 'zod';
import { type Call, calls } from '../../../client/contract/calls.ts';
import { runOperator } from '../../../server/testing/operator.ts';
import { patience } from '../../../server/testing/patience.ts';
import { type RunningSite, startSite } from '../site.ts';

const message = z.object({ to: z.string(), code: z.string().optional() });
const envelope = z.object({ success: z.boolean(), data: z.unknown().optional() });

export const password = 'correct horse battery staple';

/** An operator command beside the running server. @param env the environment that the server was started with */
export function operate(site: RunningSite, env: Record<string, string>, command: string, ...args: string[]): string {
  const { status, said, fault } = runOperator({ DATA_DIR: site.dataDir, ...env }, command, ...args);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${fault}`);
  return said;
}

/** The newest code in the outbox for an address. */
function newestCode({ dataDir }: RunningSite, address: string): string | undefined {
  const folder = join(dataDir, 'outbox');
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return files
      .sort()
      .map((name) => message.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
      .findLast(({ to, code }) => to === address && code !== undefined)?.code;
  } catch {
    // The folder is created with the first message, and a file may still be incomplete.
    return undefined;
  }
}

/** Waits for a code that differs from `last`. */
export async function nextCode(site: RunningSite, address: string, last?: string): Promise<string> {
  const end = performance.now() + patience.timeout;
  while (performance.now() < end) {
    const code = newestCode(site, address);
    if (code !== undefined && code !== last) return code;
    await pause(patience.interval);
  }
  throw new Error(`No code came for ${address}.`);
}

/** An account created by calls. */
export interface Account {
  token: string;
  uid: string;
  email: string;
  ask<Data>(path: Call, schema: z.ZodType<Data>, body?: object): Promise<Data>;
}

/** Signs up a user by calls; the site must accept plain passwords (ALLOW_PLAIN_PASSWORD). */
export async function newAccount(site: RunningSite, email: string, userName = 'Ada Lovelace'): Promise<Account> {
  const caller = (token?: string) => async (path: Call, schema: z.ZodType, body?: object) => {
    const answer = await fetch(site.url + path, {
      method: 'POST',
      headers: {
        // An operator command blocks this process for seconds: a kept connection may be closed meanwhile.
        Connection: 'close',
        ...(body && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const parsed = envelope.parse(await answer.json());
    if (!parsed.success) throw new Error(`${path} was refused: ${JSON.stringify(parsed)}`);
    return schema.parse(parsed.data);
  };
  const anonymous = caller();
  await anonymous(calls.sendCode, z.unknown(), {
    email,
    verifyType: 'EMAIL_VERIFY_CODE',
    verifyCodeType: 'REGISTER',
  });
  const verifyCode = await nextCode(site, email);
  await anonymous(calls.register, z.unknown(), {
    userName,
    email,
    verifyCode,
    password,
    company: 'Analytical Engines',
  });
  const { token } = z
    .object({ token: z.string() })
    .parse(await anonymous(calls.login, z.unknown(), { account: email, loginType: 'PASSWORD', password }));
  const signedIn = caller(token);
  const { uid } = z.object({ uid: z.string() }).parse(await signedIn(calls.queryLoginUser, z.unknown()));
  const ask: Account['ask'] = async (path, schema, body) => schema.parse(await signedIn(path, z.unknown(), body));
  return { token, uid, email, ask };
}

/** A site whose first account is its operator's. */
export async function startOwnedSite(): Promise<{ site: RunningSite; owner: Account }> {
  const site = await startSite({ env: { ALLOW_PLAIN_PASSWORD: 'on' } });
  return { site, owner: await newAccount(site, 'ada@site.example') };
}

const orderSchema = z.object({ orderId: z.string(), transfer: z.object({ reference: z.string() }).optional() });

async function order(account: Account, applyCode: string, edition: string, links: number) {
  const terms = { applyCode, productType: 'REPLICATION', edition, links, period: { num: 3, unit: 'MONTH' } };
  const { quoteId } = await account.ask(calls.calculatePrice, z.object({ quoteId: z.string() }), terms);
  return account.ask(calls.createOrder, orderSchema, { quoteId, payMethod: 'BANK_TRANSFER' });
}

/** Puts packages into the operator's downloads folder. */
export function offerPackages({ dataDir }: RunningSite): void {
  const folder = join(dataDir, 'downloads');
  mkdirSync(folder, { recursive: true });
  for (const name of ['docker-x64', 'docker-arm64', 'source-any'])
    writeFileSync(join(folder, `millrace-0.2.0-${name}.tar.gz`), name);
}

const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);

/** Gives an account data for every console page: orders in each state, a subscription, bills, invoices. */
export async function fillAccount(site: RunningSite, env: Record<string, string>, account: Account): Promise<void> {
  const run = (command: string, ...args: string[]) => operate(site, env, command, ...args);
  offerPackages(site);
  const applyCode = () => run('licence', 'apply-code', '3');
  await order(account, applyCode(), 'COMMUNITY', 5);
  const paid = await order(account, applyCode(), 'ENTERPRISE', 12);
  run('order', 'confirm', paid.transfer?.reference ?? '');
  const closed = await order(account, applyCode(), 'ENTERPRISE', 5);
  await account.ask(calls.closeOrder, z.unknown(), { orderId: closed.orderId });
  await order(account, applyCode(), 'ENTERPRISE', 50);
  await account.ask(calls.subscription, z.unknown(), { action: 'SUBSCRIBE' });
  const items = ['FULL', 'INCREMENT', 'CHECK', 'REVISE', 'BUILD_STRUCT'];
  const records = Array.from({ length: 14 }, (_, back) =>
    items.map((item, at) => ({
      id: `${back}-${item}`,
      uid: account.uid,
      day: day(back + 1),
      dataJobId: String(at),
      dataJobName: `orders to warehouse ${at + 1}`,
      item,
      rows: item === 'BUILD_STRUCT' ? 200 : 1_250_000 * (1 + ((back * 3 + at) % 7)),
    })),
  ).flat();
  const file = join(mkdtempSync(join(tmpdir(), 'millrace-usage-')), 'usage.ndjson');
  writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'));
  run('usage', 'import', file);
  run('usage', 'bill');
}

/** Signs a browser in to an account, as an earlier visit would have left it. */
export async function signInAs(context: BrowserContext, { token, uid, email }: Account): Promise<void> {
  const user = JSON.stringify({ loginInfo: { token }, userInfo: { uid, username: 'Ada Lovelace', email } });
  await context.addInitScript(
    ([token, user]) => {
      if (localStorage.getItem('test-signed-in')) return;
      localStorage.setItem('test-signed-in', '1');
      localStorage.setItem('token', token ?? '');
      localStorage.setItem('user-store', user ?? '');
    },
    [token, user],
  );
}
