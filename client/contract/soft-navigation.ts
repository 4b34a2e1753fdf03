/**
 * Header of the requests that the script uses to follow links. They are answered with another variant of the page: its
 * style sheets are linked as files instead of inlined, since the current document usually has them already.
 */
export const softNavigation = { name: 'X-Soft-Navigation', value: '1' } as const;
