/** Ids of the frame around a page's text; the capitals keep them apart from those of headings such as `Sidebar`. */
export const frameIds = {
  main: 'Main',
  pageScript: 'PageScript',
  sidebar: 'Sidebar',
  contents: 'Contents',
  targets: 'Targets',
  pair: 'Pair',
  searchResults: 'SearchResults',
} as const;

/** Ids of what scripts add to a page, before a number. */
export const numberedIds = { tab: 'Tab', tabPanel: 'TabPanel', searchOption: 'SearchOption' } as const;

const numbered = new RegExp(`^(?:${Object.values(numberedIds).join('|')})-\\d+$`);

/** True for an id that nothing in a page's text may have. */
export function isFrameId(id: string): boolean {
  return Object.values(frameIds).some((own) => own === id) || numbered.test(id);
}
