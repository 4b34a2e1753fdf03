import { canonicalPath } from '../../http/canonical-path.ts';
import { decoded } from '../address.ts';

/**
 * The endless circle of addresses that visitors of a redirect would be sent through, itself first; undefined when they
 * arrive somewhere.
 * @param isShown true for an address that shows a page, which takes precedence over a redirect
 */
export function redirectCircle(
  from: string,
  redirects: ReadonlyMap<string, string>,
  isShown: (path: string) => boolean,
): string[] | undefined {
  const way: string[] = [];
  for (let at: string | undefined = from; at !== undefined && !isShown(at); at = next(at, redirects)) {
    way.push(at);
    if (way.indexOf(at) < way.length - 1) return way;
  }
  return undefined;
}

function next(from: string, redirects: ReadonlyMap<string, string>): string | undefined {
  const to = redirects.get(from);
  const path = to === undefined ? undefined : decoded(to.replace(/[?#].*$/s, ''));
  return path === undefined ? undefined : (canonicalPath(path) ?? path);
}
