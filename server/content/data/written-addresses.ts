import type { DataPath, Position, YamlResult } from '../yaml.ts';

/** An address of this site in a data file, with its position. */
/** An address of this site in a data file, with its position. */
export interface WrittenAddress extends Position {
  file: string;
  href: string;
  /** A link has one target; a redirect has an old address and a new one. */
  role: 'link' | 'old' | 'new';
}

/** Every `href` in a value that points into the site, and every connector's document. */
export function writtenLinks(file: string, { value, at }: Pick<YamlResult<unknown>, 'value' | 'at'>): WrittenAddress[] {
  return [...addressesIn(value, [])]
    .filter(({ href }) => href.startsWith('/'))
    .map(({ href, path }): WrittenAddress => ({ file, href, role: 'link', ...at(path) }));
}

function* addressesIn(value: unknown, path: DataPath): Generator<{ href: string; path: DataPath }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const place = [...path, key];
    if (typeof inner === 'string' && (key === 'href' || key === 'document')) yield { href: inner, path: place };
    else yield* addressesIn(inner, place);
  }
}

/** Both ends of every redirect. */
export function writtenRedirects(
  file: string,
  { value, at, atKey }: Pick<YamlResult<Record<string, string> | null>, 'value' | 'at' | 'atKey'>,
): WrittenAddress[] {
  return Object.entries(value ?? {}).flatMap(([from, to]): WrittenAddress[] => [
    { file, href: from, role: 'old', ...atKey([from]) },
    { file, href: to, role: 'new', ...at([from]) },
  ]);
}
