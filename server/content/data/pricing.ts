import { z } from 'zod';
import type { Pricing } from '../../../client/contract/pricing.ts';

const byPlan = z.strictObject({ community: z.string(), cloud: z.string(), trial: z.string(), enterprise: z.string() });

/** `pricing.yml`: public price rules; money in integer cents. */
export const pricingSchema: z.ZodType<Pricing> = z.strictObject({
  currency: z.literal('USD'),
  linkHourCents: z.int().positive(),
  newAccountCredits: z.int().nonnegative(),
  cloud: z.array(
    z.strictObject({
      id: z.string(),
      label: z.string(),
      planned: z.string().optional(),
      unit: z.string(),
      unitSize: z.int().positive(),
      cents: z.int().nonnegative(),
    }),
  ),
  ladder: z.array(z.strictObject({ minLinks: z.int().positive(), rate: z.number().min(0).lt(1) })),
  periods: z.array(z.strictObject({ num: z.int().positive(), unit: z.enum(['DAY', 'MONTH', 'YEAR']) })),
  plans: z.array(
    z.strictObject({
      id: z.enum(['community', 'cloud', 'trial', 'enterprise']),
      name: z.string(),
      price: z.string(),
      summary: z.string(),
      features: z.array(z.string()),
      cta: z.strictObject({ label: z.string(), href: z.string().regex(/^(\/|cloud-app$)/, 'an address or cloud-app') }),
    }),
  ),
  table: z.array(z.strictObject({ feature: z.string(), values: byPlan })),
  questions: z.array(z.strictObject({ q: z.string(), a: z.string(), when: z.enum(['card', 'transfer']).optional() })),
});
