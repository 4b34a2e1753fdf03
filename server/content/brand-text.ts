import type { Brand } from '../../client/contract/site.ts';

const directive = /(?<!\w|\/|(?<!mailto):):brand(?:(?:\[|%5B)(\w+)(?:\]|%5D))?(?![\w:-])/g;

/** Replaces brand directives with the brand's values; unknown fields are reported and left as they are. */
export function fillBrand(text: string, brand: Brand, unknown?: (field: string, index: number) => void): string {
  if (!text.includes(':brand')) return text;
  return text.replace(directive, (whole: string, field: string | undefined, index: number) => {
    const value = Object.entries(brand).find(([key]) => key === (field ?? 'name'))?.[1];
    if (typeof value === 'string') return value;
    unknown?.(field ?? '', index);
    return whole;
  });
}

/** Where the brand's name is hard-coded. */
export function handWritten(text: string, brand: Brand): number[] {
  if (!text.includes(brand.name)) return [];
  const name = brand.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const word = new RegExp(`(?<![\\p{L}\\p{N}_-])${name}(?![\\p{L}\\p{N}_])`, 'gu');
  return [...text.matchAll(word)].map((found) => found.index);
}
