import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { minuteOf } from '../../client/contract/dates.ts';
import { eraseAccount, reasonsAgainstErasing } from '../../server/console/account/erase-account.ts';
import { makeOwner } from '../../server/console/account/owner.ts';
import { cancelSubscription, subscriptionOf } from '../../server/console/saas/subscriptions.ts';
import type { ConsoleServices } from '../../server/console/services.ts';
import { admit, jobAccess, withdrawAdmission } from '../../server/jobs/access.ts';
import type { Queries } from '../../server/storage/database.ts';
import { CommandError, mostListed, printNewest, printTable, runCommand, UsageError } from './open-console.ts';

const usage = `npm run account -- list [words]           accounts, the newest first
npm run account -- show <e-mail|uid>       one account with its sessions and credits
npm run account -- credit <e-mail|uid> <USD>  gives credits (a negative number takes them)
npm run account -- end-sessions <e-mail|uid>  signs it out everywhere
npm run account -- admit <e-mail|uid>      allows it to have data jobs, like the owner (the first account)
npm run account -- revoke <e-mail|uid>     withdraws that; its running jobs continue until they are stopped
npm run account -- own <e-mail|uid>        makes it the owner of this installation, instead of the first account
npm run account -- cancel-subscription <e-mail|uid>  cancels its subscription, which ends with its month
npm run account -- erase <e-mail|uid>      says what erasing it means; with --confirm, erases it for good`;

const row = z.object({
  uid: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  company: z.string(),
  credits: z.number(),
  created_at: z.number(),
  erased_at: z.number().nullable(),
});
const select = 'SELECT uid, username, email, phone, company, credits, created_at, erased_at FROM account';
const sessionRow = z.object({ created_at: z.number(), last_seen_at: z.number(), browser: z.string() });

type AccountRow = z.infer<typeof row>;

/** What is done with one account, by the name of the action. */
const actions = new Map<string, (services: ConsoleServices, account: AccountRow) => Promise<void>>([
  ['show', show],
  ['credit', credit],
  ['end-sessions', endSessions],
  ['admit', admitToJobs],
  ['revoke', revokeJobs],
  ['own', own],
  ['cancel-subscription', cancel],
  ['erase', erase],
]);
const [action = 'list', who = '', third = ''] = process.argv.slice(2);

await runCommand(usage, async (services) => {
  const { database } = services;
  if (action === 'list') return list(database);
  const act = actions.get(action);
  if (!act) throw new UsageError(`There is no action “${action}”.`);
  const account = await database.one(row, `${select} WHERE uid = $1 OR email_key = $2 OR phone = $1`, [
    who,
    who.toLowerCase(),
  ]);
  if (!account) throw new UsageError(`There is no account “${who}”.`);
  if (account.erased_at !== null && action !== 'show')
    throw new CommandError(`The account ${who} was erased, so nothing was changed.`);
  await act(services, account);
});

async function list(database: Queries): Promise<void> {
  const words = `%${who.toLowerCase()}%`;
  const accounts = await database.all(
    row,
    `${select} WHERE lower(username) LIKE $1 OR coalesce(email_key, phone, '') LIKE $1 OR lower(company) LIKE $1
     ORDER BY created_at DESC LIMIT ${mostListed(who)}`,
    [words],
  );
  await printAccounts(database, accounts);
}

async function show({ database }: ConsoleServices, account: AccountRow): Promise<void> {
  await printAccounts(database, [account]);
  const sessions = await database.all(
    sessionRow,
    'SELECT created_at, last_seen_at, browser FROM session WHERE uid = $1 ORDER BY last_seen_at DESC LIMIT 50',
    [account.uid],
  );
  console.log('');
  printTable(
    sessions.map(({ created_at, last_seen_at, browser }) => ({
      session: minuteOf(created_at),
      'last used': minuteOf(last_seen_at),
      browser,
    })),
  );
}

async function printAccounts(database: Queries, accounts: readonly AccountRow[]): Promise<void> {
  const access = await jobAccess(database);
  printNewest(
    accounts.map((account) => ({
      uid: account.uid,
      name: account.username,
      address: account.email ?? account.phone ?? '',
      company: account.company,
      'credits USD': usd(account.credits),
      jobs: access.get(account.uid) ?? '',
      since: minuteOf(account.created_at),
    })),
    who,
    'words',
  );
}

async function credit({ database }: ConsoleServices, { uid, credits }: AccountRow): Promise<void> {
  const cents = Math.round(Number(third) * 100);
  if (!Number.isSafeInteger(cents) || third === '') throw new UsageError('Name an amount in USD, such as 300.');
  const changed = await database.run('UPDATE account SET credits = credits + $1 WHERE uid = $2 AND credits + $1 >= 0', [
    cents,
    uid,
  ]);
  if (changed === 0) throw new UsageError('The account has fewer credits than that.');
  console.log(`Credits now: ${usd(credits + cents)} USD.`);
}

async function endSessions({ database }: ConsoleServices, { uid }: AccountRow): Promise<void> {
  const ended = await database.run('DELETE FROM session WHERE uid = $1', [uid]);
  console.log(`${ended} sessions ended.`);
}

async function admitToJobs({ database, now }: ConsoleServices, { uid, username }: AccountRow): Promise<void> {
  await admit(database, uid, now());
  console.log(`${username} may have data jobs.`);
}

async function revokeJobs({ database }: ConsoleServices, { uid, username }: AccountRow): Promise<void> {
  const had = await withdrawAdmission(database, uid);
  console.log(had ? `${username} may no longer have data jobs.` : `${username} was not admitted.`);
}

async function own({ database }: ConsoleServices, { uid, username }: AccountRow): Promise<void> {
  await database.transaction((queries) => makeOwner(queries, uid));
  console.log(`${username} owns this installation now. The owner before has data jobs only while it is admitted.`);
}

async function cancel({ database, now }: ConsoleServices, { uid, username }: AccountRow): Promise<void> {
  const { subscriptionId: id } = await subscriptionOf(database, uid);
  if (id === undefined) throw new UsageError(`${username} has no subscription.`);
  const ended = await database.transaction((queries) =>
    cancelSubscription(queries, { uid, id, reason: 'cancelled by the operator', now: now() }),
  );
  console.log(
    `The subscription of ${username} is cancelled${ended.periodEnd ? `: it ends at ${minuteOf(ended.periodEnd)}` : ''}.`,
  );
}

async function erase(services: ConsoleServices, { uid, username, credits }: AccountRow): Promise<void> {
  const { database } = services;
  if (third !== '--confirm') {
    refuseIf(await reasonsAgainstErasing(database, uid), username);
    console.log(`Erasing ${username} removes name, addresses, password, sessions, API keys, data sources and ${usd(credits)} USD of credits.
Orders, bills and invoices stay, as tax law requires. Nothing is erased yet; to do it for good:
npm run account -- erase ${who} --confirm`);
    return;
  }
  const { reasons, keepsBills, customer } = await database.transaction((queries) =>
    eraseAccount(queries, services, uid),
  );
  refuseIf(reasons, username);
  console.log(`${username} is erased.`);
  if (keepsBills) console.log('Orders, bills and invoices stay, as tax law requires.');
  if (customer) console.log(`Delete the customer ${customer} at the payment service, too.`);
  const files = join(services.config.dataDir, 'files', 'accounts', uid);
  if (existsSync(files)) console.log(`Its files stay: delete ${files}.`);
  const outbox = join(services.config.dataDir, 'outbox');
  if (existsSync(outbox)) console.log(`Messages to it that were written to files stay: delete them in ${outbox}.`);
  console.log('Backups made before still contain the account.');
}

/** @throws CommandError with all reasons, if there are any */
function refuseIf(reasons: readonly string[], username: string): void {
  if (reasons.length > 0)
    throw new CommandError([`${username} cannot be erased now, and nothing was.`, ...reasons].join('\n- '));
}

function usd(cents: number): string {
  return (cents / 100).toFixed(2);
}
