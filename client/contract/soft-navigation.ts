/**
 * Header of the requests by which the script follows links. Their answer is another variant of the page: its style
 * sheets are named as files instead of coming inside, since the document shown mostly has them already.
 */
export const softNavigation = { name: 'X-Soft-Navigation', value: '1' } as const;
