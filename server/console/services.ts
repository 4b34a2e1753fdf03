import type { Pricing } from '../../client/contract/pricing.ts';
import type { Brand } from '../../client/contract/site.ts';
import type { ConsoleConfig } from '../config/console.ts';
import type { Log } from '../log.ts';
import type { Send } from '../senders/message.ts';
import type { Database } from '../storage/database.ts';
import type { Marketplaces } from './marketplace/marketplaces.ts';
import type { PageViews } from './page-view/page-views.ts';
import type { Payments } from './saas/stripe.ts';
import type { SecretKey } from './secret-key.ts';
import type { SsoProvider } from './sso/provider.ts';
import type { Deletion } from './tasks/delete-each.ts';

/** The services that accounts, licences and billing use. */
export interface ConsoleServices {
  config: ConsoleConfig;
  log: Log;
  database: Database;
  secretKey: SecretKey;
  brand: Brand;
  /** The operator's prices. */
  pricing: Pricing;
  pageViews: PageViews;
  /** Folder of the downloads that the build created. */
  builtDownloads: string;
  /** Undefined if no payment service is set up. */
  payments: Payments | undefined;
  /** Hands a message over for delivery; calls queue theirs instead, see messages/queue-message.ts. */
  send: Send;
  /** Identity providers that the operator set up. */
  sso: readonly SsoProvider[];
  /** Cloud marketplaces that the operator set up. */
  marketplaces: Marketplaces;
  /** How many links this installation's jobs take. */
  usedLinks: () => Promise<number>;
  /** What deletes job data that no call can return any more. */
  oldRowsOfJobs: () => Deletion[];
  /** Epoch milliseconds; tests can change it. */
  now: () => number;
}
