/**
 * Components of Docusaurus, Mintlify, Starlight, Nextra, VitePress and Nuxt that map to one of our elements, or to
 * HTML.
 */
export const elementOf: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'md-tabs': 'Tabs CodeGroup CodeTabs',
    'md-tab': 'TabItem Tab TabPanel Tabs.Tab Tabs.Item Tabs.Panel',
    details: 'Details Accordion AccordionItem Collapsible Expandable',
    a: 'Link NavLink',
    img: 'Image Img',
    abbr: 'Tooltip',
  }).flatMap(([element, names]) => names.split(' ').map((name): [string, string] => [name, element])),
);

/** Components that show nothing but their children. */
export const transparent: ReadonlySet<string> = new Set(
  (
    'Fragment React.Fragment ClientOnly NoSSR Suspense React.Suspense BrowserOnly ' +
    'Accordions AccordionGroup Cards CardGroup CardGrid Columns Column Grid Row Col Frame Steps FileTree Panel ' +
    'RequestExample ResponseExample DocSearch TOCInline Icon'
  ).split(' '),
);

/** Components that show a title, which may be a link, before their children. */
export const titled: ReadonlySet<string> = new Set(
  'Card Cards.Card Tile LinkCard LinkButton ReadMore UButton ULink Button Step Update Badge'.split(' '),
);

/** Components that describe a parameter or a response field: its name and type are attributes. */
export const fields: ReadonlySet<string> = new Set('ResponseField ParamField Property'.split(' '));
