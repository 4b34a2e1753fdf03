import type { SiteConfig } from '../config/site.ts';
import type { SiteData } from '../content/data/site-data.ts';
import type { SiteServices } from './services.ts';

/** The site's data without answers about features that are not set up. */
export function offered(data: SiteData, { capabilities }: SiteConfig): SiteData {
  const way = capabilities.card ? 'card' : 'transfer';
  const questions = data.pricing.questions.filter(({ when }) => when === undefined || when === way);
  return { ...data, pricing: { ...data.pricing, questions } };
}

/** What every page shows around its own content, and what its scripts need to know. */
export function siteOf(config: SiteConfig, data: SiteData, build: string, icon: string): SiteServices['site'] {
  return {
    brand: data.brand,
    icon,
    navigation: data.navigation,
    ...(data.announcement && { announcement: data.announcement }),
    closing: data.texts.closing,
    publicUrl: config.publicUrl,
    cloudAppUrl: config.cloudAppUrl,
    deploySite: config.deploySite,
    capabilities: config.capabilities,
    plainPassword: config.allowPlainPassword,
    dataLayer: config.dataLayer,
    build,
  };
}
