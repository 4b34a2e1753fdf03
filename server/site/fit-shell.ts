import type { Content } from '../content/content.ts';
import type { SiteData } from '../content/data/site-data.ts';
import { redirectCircle } from '../content/index/redirect-circle.ts';
import { generatedPaths } from './generated/find-generated-file.ts';
import { firstDocument } from './urls.ts';

type Known = Pick<ReadonlyMap<string, unknown>, 'has'>;

/**
 * Removes from bar, footer, announcement and redirects whatever leads nowhere, or in a circle: the built-in ones link
 * to documents and posts that another team's content does not have. The documents as a whole are then at /docs.
 * @param pages addresses that show a page
 */
export function fitShell(data: SiteData, content: Content, pages: Known): SiteData {
  const isThere = (href: string): boolean => !isOfContent(href) || exists(pathOf(href), content, pages);
  const redirects = new Map(
    [...data.redirects].filter(
      ([from, to]) => isThere(to) && !redirectCircle(from, data.redirects, (path) => pages.has(path)),
    ),
  );
  const leads = (href: string): boolean => isThere(href) || redirects.has(pathOf(href));
  const fitting = <Link extends { href: string }>(links: readonly Link[]): Link[] =>
    links
      .map((link) => (link.href === firstDocument && !leads(link.href) ? { ...link, href: '/docs' } : link))
      .filter(({ href }) => leads(href));
  const { bar, footer } = data.navigation;
  return {
    ...data,
    redirects,
    announcement: data.announcement && fitting([data.announcement])[0],
    navigation: {
      bar: bar
        .flatMap((group) => (group.href === undefined ? [group] : fitting([{ ...group, href: group.href }])))
        .map((group) => (group.items ? { ...group, items: fitting(group.items) } : group))
        .filter(({ items }) => items?.length !== 0),
      footer: footer
        .map((column) => ({ ...column, links: fitting(column.links) }))
        .filter(({ links }) => links.length > 0),
    },
  };
}

/** The site's other addresses do not depend on the content. */
function isOfContent(href: string): boolean {
  return /^\/(?:docs|blog|markdown-page)(?=[/?#]|$)/.test(href);
}

function pathOf(href: string): string {
  return href.replace(/[?#].*$/s, '');
}

function exists(path: string, { docs, moved, files }: Content, pages: Known): boolean {
  if (path === '/docs') return docs.size > 0;
  const isSource = path.endsWith('.md') && pages.has(path.slice(0, -'.md'.length));
  return isSource || generatedPaths.includes(path) || [pages, moved, files].some((known) => known.has(path));
}
