/** Ids of the frame around a page's text. */
export const frameIds = {
  main: 'main',
  pageScript: 'page-script',
  sidebar: 'sidebar',
  contents: 'toc-label',
  targets: 'targets-title',
  pair: 'pair-name',
  searchResults: 'search-results',
} as const;

/** Ids of what scripts add to a page, before a number. */
export const numberedIds = { tab: 'tab', tabPanel: 'tab-panel', searchOption: 'search-option' } as const;

const numbered = new RegExp(`^(?:${Object.values(numberedIds).join('|')})-\\d+$`);

/** True for an id that nothing in a page's text may have. */
export function isFrameId(id: string): boolean {
  return Object.values(frameIds).some((own) => own === id) || numbered.test(id);
}
