import { z } from 'zod';
import { ConsoleError } from '../errors.ts';
import type { SecretKey } from '../secret-key.ts';
import { readSigned, writeSigned } from '../signed-text.ts';
import type { MarketplaceResolver, Purchase } from './resolver.ts';

const lifeMs = 4 * 3_600_000;
const contentSchema = z.strictObject({
  purchase: z.string(),
  customer: z.string(),
  product: z.string(),
  /** Epoch milliseconds. */
  expiresAt: z.number(),
});

/** A registration token for testing, valid for four hours as AWS's are. */
export function writeLocalToken(secretKey: SecretKey, purchase: Purchase, now: number): string {
  return writeSigned(secretKey, 'marketplace token', { ...purchase, expiresAt: now + lifeMs });
}

/** The marketplace for development: it knows the tokens that `npm run marketplace -- token` created. */
export function localMarketplace(secretKey: SecretKey, now: () => number): MarketplaceResolver {
  return {
    async resolve(token) {
      const content = readSigned(secretKey, 'marketplace token', contentSchema, token);
      if (!content || content.expiresAt <= now()) throw new ConsoleError('BAD_MARKETPLACE_TOKEN');
      const { expiresAt: _, ...purchase } = content;
      return purchase;
    },
  };
}
