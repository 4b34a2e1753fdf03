import { randomUUID } from 'node:crypto';
import { writeLocalToken } from '../../server/console/marketplace/local.ts';
import { runCommand, UsageError } from './open-console.ts';

const usage = `npm run marketplace -- token [customer]   a registration token for testing the sign-up from a cloud marketplace`;

const [action = '', customer = 'trial-customer'] = process.argv.slice(2);

await runCommand(usage, async ({ config, secretKey, now }) => {
  if (action !== 'token') throw new UsageError(`There is no action “${action}”.`);
  const token = writeLocalToken(secretKey, { purchase: randomUUID(), customer, product: 'local' }, now());
  if (!config.marketplaceLocal) console.error('The server accepts it only while it runs with MARKETPLACE_LOCAL=on.');
  console.error('Send it as a marketplace does, and open the address in the response in a browser within an hour:');
  console.error(`  curl -i -d x-amzn-marketplace-token=${token} ${config.publicUrl}/registerFromMarket`);
  // Standard output is only the token, for use in scripts.
  console.log(token);
});
