import { z } from 'zod';
import { minuteOf } from '../../client/contract/dates.ts';
import { admit, jobAccess, withdrawAdmission } from '../../server/jobs/access.ts';
import { printTable, runCommand, UsageError } from './open-console.ts';

const usage = `npm run account -- list [words]           accounts, the newest first
npm run account -- show <e-mail|uid>       one account with its sessions and credits
npm run account -- credit <e-mail|uid> <USD>  gives credits (a negative number takes them)
npm run account -- end-sessions <e-mail|uid>  signs it out everywhere
npm run account -- admit <e-mail|uid>      allows it to have data jobs, like the owner (the first account)
npm run account -- revoke <e-mail|uid>     withdraws that; its running jobs continue until they are stopped`;

const row = z.object({
  uid: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  company: z.string(),
  credits: z.number(),
  created_at: z.number(),
});
const select = 'SELECT uid, username, email, phone, company, credits, created_at FROM account';
const sessionRow = z.object({ created_at: z.number(), last_seen_at: z.number(), browser: z.string() });

const [action = 'list', who = '', amount = ''] = process.argv.slice(2);

await runCommand(usage, async ({ database, now }) => {
  const access = await jobAccess(database);
  const shown = (account: z.infer<typeof row>) => ({
    uid: account.uid,
    name: account.username,
    address: account.email ?? account.phone ?? '',
    company: account.company,
    'credits USD': (account.credits / 100).toFixed(2),
    jobs: access.get(account.uid) ?? '',
    since: minuteOf(account.created_at),
  });
  if (action === 'list') {
    const words = `%${who.toLowerCase()}%`;
    const accounts = await database.all(
      row,
      `${select} WHERE lower(username) LIKE $1 OR coalesce(email_key, phone, '') LIKE $1 OR lower(company) LIKE $1
       ORDER BY created_at DESC LIMIT 200`,
      [words],
    );
    return printTable(accounts.map(shown));
  }
  if (!['show', 'credit', 'end-sessions', 'admit', 'revoke'].includes(action))
    throw new UsageError(`There is no action “${action}”.`);
  const account = await database.one(row, `${select} WHERE uid = $1 OR email_key = $2 OR phone = $1`, [
    who,
    who.toLowerCase(),
  ]);
  if (!account) throw new UsageError(`There is no account “${who}”.`);
  if (action === 'credit') {
    const cents = Math.round(Number(amount) * 100);
    if (!Number.isSafeInteger(cents) || amount === '') throw new UsageError('Name an amount in USD, such as 300.');
    const changed = await database.run(
      'UPDATE account SET credits = credits + $1 WHERE uid = $2 AND credits + $1 >= 0',
      [cents, account.uid],
    );
    if (changed === 0) throw new UsageError('The account has fewer credits than that.');
    console.log(`Credits now: ${((account.credits + cents) / 100).toFixed(2)} USD.`);
    return;
  }
  if (action === 'end-sessions') {
    const ended = await database.run('DELETE FROM session WHERE uid = $1', [account.uid]);
    console.log(`${ended} sessions ended.`);
    return;
  }
  if (action === 'admit') {
    await admit(database, account.uid, now());
    console.log(`${account.username} may have data jobs.`);
    return;
  }
  if (action === 'revoke') {
    const had = await withdrawAdmission(database, account.uid);
    console.log(had ? `${account.username} may no longer have data jobs.` : `${account.username} was not admitted.`);
    return;
  }
  printTable([shown(account)]);
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
});
