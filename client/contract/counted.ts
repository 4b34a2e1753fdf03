/** A count in words: `1 target`, `48 targets`. @param noun in the singular, with a plural in -s */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
