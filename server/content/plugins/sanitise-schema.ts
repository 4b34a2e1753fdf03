import { defaultSchema, type Options } from 'rehype-sanitize';

const base = defaultSchema.attributes ?? {};

/**
 * What raw HTML may contain: GitHub's list, a few more text elements, and our own md-* elements; no style, no script.
 */
export const sanitiseSchema: Options = {
  ...defaultSchema,
  tagNames: [
    ...(defaultSchema.tagNames ?? []),
    ...['abbr', 'caption', 'cite', 'col', 'colgroup', 'dfn', 'figure', 'figcaption', 'mark', 'small', 'u', 'wbr'],
    ...['md-admonition', 'md-label', 'md-tabs', 'md-tab', 'md-code-group', 'md-more'],
  ],
  attributes: {
    ...base,
    code: [['className', /^language-./], 'dataMeta'],
    details: ['open'],
    abbr: ['title'],
    'md-admonition': ['kind', 'title'],
    'md-tab': ['label'],
  },
  protocols: { ...defaultSchema.protocols, href: [...(defaultSchema.protocols?.href ?? []), 'tel'] },
  // The text inside these is not meant to be read.
  strip: ['script', 'style', 'svg', 'iframe', 'object', 'template', 'noscript', 'textarea', 'select'],
};
