/** Spellings of a word with two neighbouring letters swapped: `postgers` gives `postgres` and six more. */
export function swapped(word: string): string[] {
  const letters = [...word];
  const spellings = letters.slice(1).map((letter, at) => {
    const before = letters[at] ?? '';
    return [...letters.slice(0, at), letter, before, ...letters.slice(at + 2)].join('');
  });
  return [...new Set(spellings)].filter((spelling) => spelling !== word);
}
