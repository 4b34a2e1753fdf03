import { z } from 'zod';
import type { YamlResult } from '../yaml.ts';
import { template } from './template.ts';
import type { WrittenAddress } from './written-addresses.ts';

/** A page's title and description for search engines, tabs and preview pictures. */
export interface PageTitle {
  title: string;
  description: string;
}

const text = template('label', 'connectors');

/** `pages/titles.yml`: address → title and description. */
export const titlesSchema: z.ZodType<Record<string, PageTitle>> = z.record(
  z.string().startsWith('/'),
  z.strictObject({ title: text, description: text }),
);

/** The addresses that have a title; `:name` stands for many and is not an address itself. */
export function titledAddresses(
  file: string,
  { value, atKey }: Pick<YamlResult<Record<string, PageTitle>>, 'value' | 'atKey'>,
): WrittenAddress[] {
  return Object.keys(value ?? {})
    .filter((path) => !path.includes(':'))
    .map((path): WrittenAddress => ({ file, href: path, role: 'link', ...atKey([path]) }));
}
