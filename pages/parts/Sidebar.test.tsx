import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { SidebarNode } from '../../client/contract/reading.ts';
import { Sidebar } from './Sidebar.tsx';

/** A tree of folders within folders: `widths` entries a level, pages at the lowest. */
function tree([width = 0, ...below]: number[], path = '/docs'): SidebarNode[] {
  return Array.from({ length: width }, (_, at) => {
    const href = `${path}/${at}`;
    return below.length > 0 ? { label: `Group ${href}`, items: tree(below, href) } : { label: `Page ${href}`, href };
  });
}

const draw = (nodes: SidebarNode[], path: string, open: 'current' | 'all' = 'current') =>
  renderToStaticMarkup(<Sidebar label="Documents" button="Menu" nodes={nodes} path={path} open={open} />);

const linksOf = (html: string) => [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);

describe('5,000 pages in 10 groups of 10', () => {
  const nodes = tree([10, 10, 50]);

  test('are not all in each page, only its own branch, its siblings and the names of the other groups', () => {
    const html = draw(nodes, '/docs/3/4/5');
    const beside = Array.from({ length: 50 }, (_, at) => `/docs/3/4/${at}`);
    const groups = (path: string, own: number) =>
      Array.from({ length: 10 }, (_, at) => `${path}/${at}`).filter((_, at) => at !== own);
    const expected = [
      ...groups('/docs', 3).map((path) => `${path}/0/0`),
      ...groups('/docs/3', 4).map((path) => `${path}/0`),
      ...beside,
    ];
    expect(linksOf(html).toSorted()).toEqual(expected.toSorted());
    expect(html.match(/<details open="" data-branch="[\d.]+">/g)).toEqual([
      '<details open="" data-branch=".3">',
      '<details open="" data-branch=".3.4">',
    ]);
    expect(html).toContain('<a href="/docs/3/4/5" aria-current="page">');
    expect(html.length).toBeLessThan(10_000);
  });

  test('a closed group links to a page that has it open, under the same id', () => {
    for (const [, href = '', id = ''] of draw(nodes, '/docs/3/4/5').matchAll(
      /<a href="([^"]+)" data-branch="([^"]+)"/g,
    ))
      expect(draw(nodes, href)).toContain(`<details open="" data-branch="${id}">`);
  });

  test('with no group open, only the groups are listed', () => {
    expect(linksOf(draw(nodes, '', 'all'))).toHaveLength(10);
  });
});

test('a group with its own page links there, and is open on it', () => {
  const nodes = [{ label: 'Own', href: '/own', items: tree([300]) }, ...tree([1, 1], '/other')];
  expect(draw(nodes, '/other/0/0')).toContain('<a href="/own" data-branch=".0">Own</a>');
  const own = draw(nodes, '/own');
  expect(own).toContain('<a href="/own" aria-current="page">Overview</a>');
  expect(linksOf(own)).toContain('/docs/299');
});

test('300 entries are all in the page, without ids', () => {
  const whole = draw(tree([10, 29]), '/docs/3/4');
  expect(linksOf(whole)).toHaveLength(290);
  expect(whole).not.toContain('data-branch');
  expect(linksOf(draw([...tree([10, 29]), { label: 'One more', href: '/more' }], '/docs/3/4'))).toHaveLength(
    29 + 9 + 1,
  );
});
