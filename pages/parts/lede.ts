import type { Compiled } from '../../client/contract/reading.ts';

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The description, unless it is the title or the first words of the text, so no sentence is shown twice. */
export function ledeOf(page: Pick<Compiled, 'text'> & { title: string; description: string }): string | undefined {
  const start = plain(page.description).replace(/(…|\.{3})$/, '');
  const repeats = start === plain(page.title) || plain(page.text).startsWith(start);
  return start && !repeats ? page.description : undefined;
}
