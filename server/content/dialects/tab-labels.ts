import { z } from 'zod';
import type { Attributes } from './jsx-attributes.ts';

export interface OpenTabs {
  /** The label of the next tab, by its own texts and by what the row says of it. */
  labelOf(texts: ReadonlyMap<string, string>): string | undefined;
}

const row = z.array(z.union([z.string(), z.looseObject({ label: z.string(), value: z.string().optional() })]));

/**
 * A row of tabs, by the attributes of its opening: there Docusaurus has `values` and Nextra `items` with the labels.
 */
export function openTabs({ values }: Attributes): OpenTabs {
  const read = row.safeParse(values.get('values') ?? values.get('items') ?? values.get('tabs'));
  const labels = read.success ? read.data.map((entry) => (typeof entry === 'string' ? { label: entry } : entry)) : [];
  let count = 0;
  return {
    labelOf(texts) {
      const own = texts.get('label') ?? texts.get('title');
      const value = texts.get('value');
      const byValue = labels.find((entry) => 'value' in entry && entry.value === value && value !== undefined);
      const byPlace = labels[count];
      count += 1;
      // Docusaurus and Nextra ask the row first.
      return byValue?.label || own || (value === undefined ? byPlace?.label : undefined) || texts.get('name') || value;
    },
  };
}
