import { z } from 'zod';
import type { Attributes } from './jsx-attributes.ts';

export interface OpenTabs {
  /** The next tab's label, from its own texts and from what the tab group says about it. */
  labelOf(texts: ReadonlyMap<string, string>): string | undefined;
}

const row = z.array(z.union([z.string(), z.looseObject({ label: z.string(), value: z.string().optional() })]));

/**
 * A tab group, from the attributes of its opening tag: Docusaurus puts the labels in `values` there, Nextra in `items`.
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
      // Docusaurus and Nextra check the group first.
      return byValue?.label || own || (value === undefined ? byPlace?.label : undefined) || texts.get('name') || value;
    },
  };
}
