import type { ConsoleConfig } from '../../config/console.ts';
import type { Log } from '../../log.ts';
import type { SecretKey } from '../secret-key.ts';
import { awsMarketplace } from './aws.ts';
import { localMarketplace } from './local.ts';
import type { MarketplaceResolver } from './resolver.ts';

/** Marketplaces whose buyers can sign up, as `marketplaceType` names them. */
export const marketplaceTypes = ['AWS'] as const;
export type MarketplaceType = (typeof marketplaceTypes)[number];
export type Marketplaces = Partial<Record<MarketplaceType, MarketplaceResolver>>;

interface Parts {
  secretKey: SecretKey;
  log: Log;
  now: () => number;
}

/** The marketplaces that the operator set up. */
export function marketplaces(config: ConsoleConfig, { secretKey, log, now }: Parts): Marketplaces {
  const { awsMarketplaceProduct: product, awsMarketplaceKeyId: keyId, awsMarketplaceSecret: secret } = config;
  if (config.marketplaceLocal) return { AWS: localMarketplace(secretKey, now) };
  if (product === undefined || keyId === undefined || secret === undefined) return {};
  const region = config.awsMarketplaceRegion;
  const url = config.awsMarketplaceUrl ?? `https://metering.marketplace.${region}.amazonaws.com/`;
  return { AWS: awsMarketplace({ url, region, keyId, secret, product }, log) };
}
