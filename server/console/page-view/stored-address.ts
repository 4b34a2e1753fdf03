/** What is stored of an address besides its path: names of campaigns. Whatever else stands in a query may be a secret. */
const storedNames: ReadonlySet<string> = new Set([
  'bd_vid',
  'kw',
  'utm_campaign',
  'utm_content',
  'utm_medium',
  'utm_source',
  'utm_term',
]);

/** An address with no more of its query than the names above, and without its fragment. */
export function storedUri(uri: string): string {
  const [path = '', search] = uri.replace(/#.*$/s, '').split(/\?(.*)/s);
  const query = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => storedNames.has(name)));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Where a visitor came from: an address without credentials, query and fragment, or nothing if it is none. */
export function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : '';
}
