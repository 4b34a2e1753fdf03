import { join } from 'node:path';
import type { ConsoleConfig } from '../config/console.ts';
import { requireFont } from '../console/billing/invoice-fonts.ts';
import { marketplaces } from '../console/marketplace/marketplaces.ts';
import { openPageViews } from '../console/page-view/page-views.ts';
import { openPayments } from '../console/saas/stripe.ts';
import { openSecretKey } from '../console/secret-key.ts';
import { ssoProviders } from '../console/sso/providers.ts';
import { readSellerData } from '../content/data/site-data.ts';
import { oldRowsOfJobs } from '../jobs/delete-old.ts';
import { countLinks } from '../jobs/links.ts';
import { openJobs } from '../jobs/open-jobs.ts';
import type { JobServices } from '../jobs/services.ts';
import type { Log } from '../log.ts';
import { createSender } from '../senders/create-sender.ts';
import type { Database } from '../storage/database.ts';

const root = join(import.meta.dirname, '../..');

/** Services, and ways to close what they keep open. */
export interface OpenServices {
  services: JobServices;
  /** Messages still being sent fail; the next server retries them. */
  stopSending(): void;
  /** Closes what they keep open, the store last. */
  close(): Promise<void>;
}

/**
 * The services of a server, an operator command or a test, on an open store.
 * @param asServer creates the installation's key if it is missing
 */
export async function openServices(
  config: ConsoleConfig,
  log: Log,
  database: Database,
  now = Date.now,
  asServer = true,
): Promise<OpenServices> {
  if (config.invoiceFont !== undefined) await requireFont(config.invoiceFont);
  // The operator's content or the built-in one.
  const { brand, pricing } = readSellerData(config.contentDir, join(root, 'content'), config.siteBrand);
  const secretKey = openSecretKey(config.secretKey, config.dataDir, asServer);
  const sender = await createSender(config, brand.name, log);
  const pageViews = openPageViews(database, log);
  const jobs = openJobs(config, log);
  return {
    services: {
      config,
      log,
      database,
      secretKey,
      brand,
      pricing,
      pageViews,
      builtDownloads: join(root, 'dist/downloads'),
      payments: await openPayments(config),
      send: sender.send,
      sso: await ssoProviders(config, now),
      marketplaces: marketplaces(config, { secretKey, log, now }),
      usedLinks: async () => (await countLinks(database)).used,
      oldRowsOfJobs: () => oldRowsOfJobs(now()),
      jobs,
      now,
    },
    stopSending: () => sender.close(),
    async close() {
      jobs.stopping.abort();
      sender.close();
      await pageViews.close();
      await database.close();
    },
  };
}
