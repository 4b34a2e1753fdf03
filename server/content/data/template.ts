import { z } from 'zod';

/** A text in which `{name}` stands for a value that the page computes; other names are faults. */
export function template(...names: string[]): z.ZodString {
  const known = names.map((name) => `{${name}}`);
  return z
    .string()
    .min(1)
    .superRefine((text, context) => {
      for (const [written] of text.matchAll(/\{\w+\}/g)) {
        if (known.includes(written)) continue;
        const message = `${written} is not a placeholder here; known ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`;
        context.addIssue({ code: 'custom', message });
      }
    });
}
