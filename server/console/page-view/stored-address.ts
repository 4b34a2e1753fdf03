/** The query parameters that are stored with an address's path: campaign names. Any other parameter may be a secret. */
const storedNames: ReadonlySet<string> = new Set([
  'bd_vid',
  'kw',
  'utm_campaign',
  'utm_content',
  'utm_medium',
  'utm_source',
  'utm_term',
]);

/** An address with only the query parameters above, and without its fragment. */
export function storedUri(uri: string): string {
  const [path = '', search] = uri.replace(/#.*$/s, '').split(/\?(.*)/s);
  const query = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => storedNames.has(name)));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** A visitor's referrer: an address without credentials, query and fragment, or empty if it is not an address. */
export function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : '';
}
