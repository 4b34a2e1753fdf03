import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ConsoleError } from '../errors.ts';
import type { SecretKey } from '../secret-key.ts';
import type { MarketplaceResolver, Purchase } from './resolver.ts';

const lifeMs = 4 * 3_600_000;
const contentSchema = z.strictObject({
  purchase: z.string(),
  customer: z.string(),
  product: z.string(),
  /** Epoch milliseconds. */
  expiresAt: z.number(),
});

/** A registration token for trying, good for four hours as those of AWS are. */
export function writeLocalToken(secretKey: SecretKey, purchase: Purchase, now: number): string {
  const content = Buffer.from(JSON.stringify({ ...purchase, expiresAt: now + lifeMs })).toString('base64url');
  return `${content}.${secretKey.mac('marketplace token', content)}`;
}

/** The marketplace in development: it knows the tokens that `npm run marketplace -- token` made. */
export function localMarketplace(secretKey: SecretKey, now: () => number): MarketplaceResolver {
  return {
    async resolve(token) {
      const [content = '', mac = ''] = token.split('.');
      const expected = Buffer.from(secretKey.mac('marketplace token', content));
      const given = Buffer.from(mac);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new ConsoleError('BAD_MARKETPLACE_TOKEN');
      }
      const { expiresAt, ...purchase } = contentSchema.parse(
        JSON.parse(Buffer.from(content, 'base64url').toString('utf8')),
      );
      if (expiresAt <= now()) throw new ConsoleError('BAD_MARKETPLACE_TOKEN');
      return purchase;
    },
  };
}
