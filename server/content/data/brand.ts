import { z } from 'zod';
import type { Brand } from '../../../client/contract/site.ts';
import { fillBrand } from '../brand-text.ts';

/** `brand/<brand>.yml`. */
export const brandSchema: z.ZodType<Brand> = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  legalName: z.string().min(1),
  tagline: z.string().min(1).max(60),
  description: z.string().min(1),
  domain: z.string().min(1),
  supportEmail: z.email(),
  salesEmail: z.email(),
  privacyEmail: z.email(),
  securityEmail: z.email(),
  payee: z.string().min(1).optional(),
  account: z.string().min(1).optional(),
  taxLabel: z.string().min(1).optional(),
  taxRate: z.number().min(0).max(1).optional(),
});

/** Fills the brand into every text of a value, whatever its shape. */
export function fillTexts(value: unknown, brand: Brand): unknown {
  if (typeof value === 'string') return fillBrand(value, brand);
  if (Array.isArray(value)) return value.map((inner) => fillTexts(inner, brand));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillTexts(inner, brand)]));
}
