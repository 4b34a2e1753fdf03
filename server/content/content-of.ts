import { createHash } from 'node:crypto';
import type { Compiled } from '../../client/contract/reading.ts';
import type { Brand } from '../../client/contract/site.ts';
import { HttpError } from '../http/errors.ts';
import type { ContentCache } from './cache/content-cache.ts';
import type { Content } from './content.ts';
import { createOrigins } from './includes/origins.ts';
import type { Index } from './index/build-index.ts';
import type { IndexedPage, LoadedPage } from './index/pages.ts';
import { isInner, resolveTree } from './index/resolved-tree.ts';
import { LostBodyError } from './lost-body.ts';
import { movedAddress } from './moved-address.ts';
import type { SourceReader } from './read-source.ts';

export interface ContentRest {
  cache: Pick<ContentCache, 'body'>;
  brand: Brand;
  salt: string;
  stats: Content['stats'];
  readSource: SourceReader;
  /** Accepts a page whose file was found at the start but can no longer be read. */
  onGone(page: LoadedPage): void;
}

/** Freezes the index into the content that the server works with; bodies are read on demand. */
export function contentOf({ byAddress, linksOf, ...index }: Index, rest: ContentRest): Content {
  const pageAt = (path: string): IndexedPage => {
    const page = byAddress.get(path);
    if (!page) throw new Error(`No page has the address ${path}.`);
    return page;
  };
  return Object.freeze({
    ...index,
    version: versionOf(byAddress.values(), index, rest.salt),
    stats: rest.stats,
    body(path: string): Compiled {
      const page = pageAt(path);
      const found = rest.cache.body(page.key);
      if (!found && page.facts.broken)
        return { tree: { type: 'root', children: [] }, toc: [], text: '', readingMinutes: 1 };
      if (!found) throw new LostBodyError(page.file);
      const { tree, toc, text } = found;
      return { tree: resolveTree(tree, page, linksOf(page)), toc, text, readingMinutes: page.facts.readingMinutes };
    },
    async source(path: string, origin: string) {
      const page = pageAt(path);
      const links = linksOf(page);
      // These load the markdown parser, which a start from the cache does not need.
      const { brandedSource } = await import('./branded-source.ts');
      const { resolveSourceLinks } = await import('./source-links.ts');
      const read = rest.readSource(page);
      if (!('source' in read)) {
        rest.onGone(read);
        throw new HttpError('NOT_FOUND');
      }
      const { text, sourceLine } = brandedSource(read.source, page.title, rest.brand);
      // What was too much for the compiler would hold up everyone here.
      if (page.facts.broken) return text;
      const { folderOf } = createOrigins(read);
      return resolveSourceLinks(text, (written, kind, line) => {
        if (!isInner(written)) return written;
        const { href } = links[kind](page, movedAddress(written, folderOf(sourceLine(line))));
        return new URL(href, `${origin}${page.address}`).href;
      });
    },
  });
}

function versionOf(pages: Iterable<IndexedPage>, index: Omit<Index, 'byAddress' | 'linksOf'>, salt: string): string {
  const hash = createHash('sha256').update(salt);
  for (const { address, key, file, title } of pages) hash.update(`${address}\0${key}\0${file}\0${title}\0`);
  for (const address of index.files.keys()) hash.update(address);
  hash.update(
    JSON.stringify([index.sidebar, index.tags.map(({ tag }) => tag), index.authors.map(({ author }) => author)]),
  );
  for (const post of index.posts.values()) hash.update(`${post.path} ${post.date}`);
  return hash.digest('base64url').slice(0, 16);
}
