import { posix } from 'node:path';
import { decoded } from '../address.ts';
import type { Asset, Assets } from './assets.ts';
import type { PageTable } from './page-table.ts';
import type { IndexedPage } from './pages.ts';

export interface Target {
  /** The address to write into the page. */
  href: string;
  asset?: Asset;
  /** The page whose anchor is meant. */
  anchorOf?: IndexedPage;
  /** Why the link has no target. */
  problem?: { rule: 'broken-link' | 'ambiguous-link' | 'missing-anchor' | 'missing-image'; message: string };
}

/** Resolves what authors wrote to addresses of the site, and says what has no target. */
export interface Links {
  link(page: IndexedPage, href: string): Target;
  image(page: IndexedPage, src: string): Target;
}

export interface LinkSources {
  table: PageTable;
  assets: Assets;
  siteAddresses: ReadonlySet<string>;
  /** Existing files that are not served: drafts and posts with a later date. */
  heldBack: ReadonlySet<string>;
}

/** Creates the resolver; it keeps no state between calls. */
export function createLinks(sources: LinkSources): Links {
  return {
    link: (page, href) => resolveLink(page, href, sources),
    image: (page, src) => resolveImage(page, src, sources),
  };
}

function resolveLink(page: IndexedPage, href: string, sources: LinkSources): Target {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(href) ?? [];
  if (path === '') return withAnchor(page, '', query, hash);
  const name = decoded(path).replace(/^@site\//, '/');
  const target = findByPath(page, name, sources);
  if (target) return withAnchor(target, target.address, query, hash);
  const [first, rival] = findByName(name, sources);
  if (first && rival) {
    const message = `The id “${name}” belongs to ${first.file} and ${rival.file}: link to the file.`;
    return { ...withAnchor(first, first.address, query, hash), problem: { rule: 'ambiguous-link', message } };
  }
  if (first) return withAnchor(first, first.address, query, hash);
  const address = name.startsWith('/') ? name : posix.join(page.address, '..', name);
  if (sources.siteAddresses.has(trimmed(address))) return { href: trimmed(address) + query + hash };
  const asset = findAsset(page, name, sources);
  if (asset) return { href: asset.address + hash, asset };
  const held = [...candidates(page, name)].some((candidate) => sources.heldBack.has(candidate.slice(1)));
  const message = held
    ? `The link leads to ${name}, which is not published.`
    : `The link leads to ${name}, which does not exist.`;
  return { href: address + query + hash, problem: { rule: 'broken-link', message } };
}

function withAnchor(target: IndexedPage, address: string, query: string, hash: string): Target {
  if (hash === '' || hash === '#' || hash === '#top' || hash.startsWith('#:~:'))
    return { href: address + query + hash || '#' };
  const wanted = decoded(hash.slice(1));
  const { ids, topIds } = target.facts;
  const id = ids.includes(wanted) ? wanted : anchorLike(wanted, ids);
  if (id !== undefined) return { href: `${address}${query}#${id}`, anchorOf: target };
  if (topIds.includes(wanted) || anchorLike(wanted, topIds) !== undefined)
    return { href: address + query || '#', anchorOf: target };
  const message = `The page ${target.file} has no heading or anchor “${wanted}”.`;
  return { href: address + query + hash, anchorOf: target, problem: { rule: 'missing-anchor', message } };
}

/** Ids that authors wrote carry the sanitiser's prefix; tools differ in how they generate dashes. */
function anchorLike(wanted: string, ids: readonly string[]): string | undefined {
  if (ids.includes(`user-content-${wanted}`)) return `user-content-${wanted}`;
  const plain = letters(wanted);
  return plain === '' ? undefined : byLetters(ids).get(plain);
}

const known = new WeakMap<readonly string[], Map<string, string>>();

/** Many links may lead to a page with many anchors, such as a glossary. */
function byLetters(ids: readonly string[]): Map<string, string> {
  const found = known.get(ids) ?? new Map(ids.toReversed().map((id) => [letters(id), id]));
  known.set(ids, found);
  return found;
}

function letters(id: string): string {
  return id.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function findByPath(page: IndexedPage, name: string, { table }: LinkSources): IndexedPage | undefined {
  for (const candidate of candidates(page, name)) {
    const found = table.byFile(candidate.slice(1)) ?? table.byPath(pageLike(candidate));
    if (found) return found;
  }
  return undefined;
}

/** Pages with a name as their id, otherwise the only page with that file name. */
function findByName(name: string, { table }: LinkSources): readonly IndexedPage[] {
  const bare = pageLike(name)
    .replace(/^\.?\//, '')
    .replace(/^(?:docs|blog)\//, '');
  const pages = table.byId(bare);
  const only = pages.length > 0 || name.includes('/') || isFile(name) ? undefined : table.byName(bare);
  return only ? [only] : pages;
}

/**
 * Paths below the content folder that a link may mean, each with a leading slash; nearly always the first is correct.
 */
function* candidates(page: IndexedPage, name: string): Generator<string> {
  if (name.startsWith('/')) {
    yield trimmed(name);
    yield trimmed(`/docs${name}`);
    yield trimmed(`/blog${name}`);
    yield* withoutVersion(name);
    return;
  }
  const besideFile = trimmed(`/${posix.join(page.file, '..', name)}`);
  yield besideFile;
  yield trimmed(posix.join(page.address, '..', name));
  yield trimmed(posix.join(page.address, name));
  // Some authors write paths from the documents' root; and a blog may once have been among the documents.
  if (name.startsWith('.')) yield `/docs${besideFile}`;
  else {
    yield trimmed(`/docs/${name}`);
    yield trimmed(`/${name}`);
  }
  yield* withoutVersion(besideFile);
}

/** With several versions or languages, links name one; only one exists here. */
function* withoutVersion(name: string): Generator<string> {
  const plain = name.replace(
    /^(\/docs)?\/(?:next|latest|current|stable|v?\d+(?:\.\w+)*|[a-z]{2}(?:-[A-Za-z]{2,4})?)(?=\/)/,
    '$1',
  );
  if (plain === name) return;
  yield trimmed(plain);
  if (!plain.startsWith('/docs/')) yield trimmed(`/docs${plain}`);
}

function pageLike(path: string): string {
  return trimmed(path.replace(/\.(?:mdx?|markdown|html?)$/i, '').replace(/\/(?:_?index|readme)$/i, '')) || '/';
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.replace(/\/+$/, '') : path;
}

function isFile(name: string): boolean {
  return /\.\w{1,5}$/.test(name);
}

function resolveImage(page: IndexedPage, src: string, sources: LinkSources): Target {
  const name = decoded(src.replace(/[?#].*$/s, '')).replace(/^@site\//, '/');
  const asset = findAsset(page, name, sources);
  if (asset) return { href: asset.address, asset, ...unshown(name, asset) };
  if (sources.siteAddresses.has(name)) return { href: name };
  return { href: src, problem: { rule: 'missing-image', message: `The picture ${name} does not exist.` } };
}

/** A picture that is there, but that browsers cannot show. */
function unshown(name: string, { width }: Asset): Pick<Target, 'problem'> {
  const message = /\.(?:heic|heif|tiff?|psd|jxl|eps)$/i.test(name)
    ? `Browsers do not show the picture ${name}: save it as SVG, PNG, JPEG, WebP, AVIF or GIF.`
    : /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i.test(name) && width === undefined
      ? `The picture ${name} is empty, damaged or larger than 64 MB.`
      : undefined;
  return message === undefined ? {} : { problem: { rule: 'missing-image', message } };
}

/** Beside the file; from the root also where other tools keep their static files. */
function findAsset(page: IndexedPage, name: string, { assets }: LinkSources): Asset | undefined {
  if (!name.startsWith('/')) {
    const beside = posix.join(posix.dirname(page.file), name);
    // Hugo and VitePress resolve pictures relative to the page's address.
    const belowAddress = posix.join(page.address.slice(1), name);
    return (
      assets.find(beside) ?? assets.find(belowAddress) ?? (name.includes('/') ? undefined : assets.findByName(name))
    );
  }
  for (const folder of ['static', 'public', '.', 'docs', 'docs/public', 'assets']) {
    const asset = assets.find(posix.join(folder, name.slice(1)));
    if (asset) return asset;
  }
  return undefined;
}
