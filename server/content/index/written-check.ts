import { canonicalPath } from '../../http/canonical-path.ts';
import { decoded } from '../address.ts';
import type { WrittenAddress } from '../data/written-addresses.ts';
import type { Fault } from '../fault.ts';
import type { IndexedPage } from './pages.ts';
import { redirectCircle } from './redirect-circle.ts';

export interface Addresses {
  pages: ReadonlyMap<string, IndexedPage>;
  /** Addresses of the site itself, including the blog's lists. */
  site: ReadonlySet<string>;
  /** Old address → new one. */
  redirects: ReadonlyMap<string, string>;
  /** True for a file that is served as is. */
  isFile(address: string): boolean;
}

type Problem = Pick<Fault, 'rule' | 'message'>;

/**
 * Checks the addresses in navigation, announcement, prices, connectors and redirects: finds those without a target, and
 * redirects that can never be followed.
 */
export function checkWritten(written: readonly WrittenAddress[], addresses: Addresses): Fault[] {
  return written.flatMap(({ file, line, column, href, role }) => {
    const problem = role === 'old' ? oldAddress(href, addresses) : target(href, role, addresses);
    return problem ? [{ file, line, column, ...problem }] : [];
  });
}

function oldAddress(from: string, addresses: Addresses): Problem | undefined {
  const { pages, site } = addresses;
  const plain = canonicalPath(from);
  if (plain !== undefined)
    return unfollowed(`Visitors to ${from} are sent to ${plain} first: redirect ${plain} instead.`);
  const holder = pages.get(from)?.file ?? (site.has(from) ? 'a page of the site' : undefined);
  if (holder !== undefined) return unfollowed(`${from} is the address of ${holder}, which is shown instead.`);
  const circle = circleFrom(from, addresses);
  const message = `Visitors to ${from} would be redirected in a circle (${circle?.join(' → ')}), so this redirect is ignored: name a page.`;
  return circle && { rule: 'redirect-circle', message };
}

function circleFrom(from: string, { pages, site, redirects }: Addresses): string[] | undefined {
  return redirectCircle(from, redirects, (path) => pages.has(path) || site.has(path));
}

function unfollowed(message: string): Problem {
  return { rule: 'unused-redirect', message };
}

function target(href: string, role: 'link' | 'new', addresses: Addresses): Problem | undefined {
  const [path = '', hash = ''] = href.split('#').map((part) => decoded(part.replace(/\?.*$/s, '')));
  const page = addresses.pages.get(path);
  if (page) return missingAnchor(page, hash);
  if (addresses.site.has(path) || addresses.isFile(path)) return undefined;
  if (!addresses.redirects.has(path)) return { rule: 'broken-link', message: `The address ${path} does not exist.` };
  // A circle is reported at its old address.
  if (role === 'link' || circleFrom(path, addresses)) return undefined;
  return { rule: 'redirect-chain', message: `${path} is itself redirected: name its target.` };
}

function missingAnchor({ file, facts: { ids, topIds } }: IndexedPage, anchor: string): Problem | undefined {
  if (anchor === '' || ids.includes(anchor) || topIds.includes(anchor)) return undefined;
  return { rule: 'missing-anchor', message: `The page ${file} has no heading or anchor “${anchor}”.` };
}
