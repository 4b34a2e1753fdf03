import type { Compiled } from '../../client/contract/content.ts';

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The description, unless it was taken from the first words of the text: nobody reads the same sentence twice. */
export function ledeOf({ description, text }: Pick<Compiled, 'text'> & { description: string }): string | undefined {
  const start = plain(description).replace(/(…|\.{3})$/, '');
  return start && !plain(text).startsWith(start) ? description : undefined;
}
