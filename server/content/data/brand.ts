import { z } from 'zod';
import type { Brand } from '../../../client/contract/content.ts';

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
});

/** Puts the brand's name, or one of its fields, where a text says `:brand` or `:brand[field]`. */
export function fillBrand(text: string, brand: Brand): string {
  const fields = new Map(Object.entries(brand));
  return text.replace(/:brand(?:\[(\w+)\])?(?!\w)/g, (whole, field: string | undefined) =>
    field === undefined ? brand.name : (fields.get(field) ?? whole),
  );
}
