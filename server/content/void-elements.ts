/** HTML elements without an end tag. */
export const voidElements: ReadonlySet<string> = new Set(
  'area br col embed hr img input link meta source track wbr'.split(' '),
);
