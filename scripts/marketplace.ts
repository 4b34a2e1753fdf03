import { randomUUID } from 'node:crypto';
import { readConsoleConfig } from '../server/config/console.ts';
import { ConfigError } from '../server/config/read-settings.ts';
import { writeLocalToken } from '../server/console/marketplace/local.ts';
import { openSecretKey } from '../server/console/secret-key.ts';

// `npm run marketplace -- token [customer]`: a registration token for trying the sign-up from a cloud marketplace.
const [command, customer = 'trial-customer'] = process.argv.slice(2);

if (command !== 'token') {
  console.error('Usage: npm run marketplace -- token [customer]');
  process.exit(1);
}

function readConfig() {
  try {
    return readConsoleConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

const config = readConfig();
const purchase = { purchase: randomUUID(), customer, product: 'local' };
const token = writeLocalToken(openSecretKey(config.secretKey, config.dataDir), purchase, Date.now());
if (!config.marketplaceLocal) console.error('The server takes it while it runs with MARKETPLACE_LOCAL=on.');
console.error('Send it as a marketplace does, and open the address of the answer in a browser within an hour:');
console.error(`  curl -i -d x-amzn-marketplace-token=${token} ${config.publicUrl}/registerFromMarket`);
// The token alone is the command's output, for programs.
console.log(token);
