import { posix } from 'node:path';
import { cleanSegment, nameKey, pagePath } from '../address.ts';
import type { Fault } from '../fault.ts';
import { olderAddresses } from './older-addresses.ts';
import type { IndexedPage } from './pages.ts';

/** Finds pages by what links call them: address, file, id, older address. */
export interface PageTable {
  /** By address or by file without its extension, first exactly, then leniently. */
  byPath(path: string): IndexedPage | undefined;
  byFile(file: string): IndexedPage | undefined;
  /** By an id with its folder (`a/x`), otherwise by the id alone, which pages in several folders may share. */
  byId(id: string): readonly IndexedPage[];
  /** The only page with that file name, exactly or else in any case: Hugo's `ref` and Obsidian's links leave folders out. */
  byName(name: string): IndexedPage | undefined;
}

/** Builds the table in one pass. */
export function createPageTable(pages: readonly IndexedPage[]): PageTable {
  const exact = new Map<string, IndexedPage>();
  let loose: Map<string, IndexedPage> | undefined;
  const files = new Map<string, IndexedPage>();
  const ids = Map.groupBy(pages, qualifiedId);
  const bareIds = Map.groupBy(pages, (page) => page.facts.front.id?.name);
  const names = new Map<string, IndexedPage | undefined>();
  const anyCase = new Map<string, IndexedPage | undefined>();
  for (const page of pages) exact.set(page.address, page);
  for (const page of pages) {
    const path = pagePath(page.file);
    files.set(page.file, page);
    for (const name of [`/${path}`, `/${page.file.replace(/\.\w+$/, '')}`, ...olderAddresses(page)])
      if (!exact.has(name)) exact.set(name, page);
    const name = path.slice(path.lastIndexOf('/') + 1);
    names.set(name, names.has(name) ? undefined : page);
    const key = nameKey(name);
    anyCase.set(key, anyCase.has(key) ? undefined : page);
  }
  return {
    byPath(path) {
      const found = exact.get(path);
      if (found) return found;
      loose ??= looseTable(pages);
      return loose.get(loosened(path));
    },
    byFile: (file) => files.get(file),
    byId: (id) => ids.get(id)?.slice(0, 1) ?? bareIds.get(id) ?? [],
    byName: (name) => names.get(name) ?? anyCase.get(nameKey(name)),
  };
}

/** Only built when a link needs it. */
function looseTable(pages: readonly IndexedPage[]): Map<string, IndexedPage> {
  const table = new Map<string, IndexedPage>();
  for (const page of pages) {
    for (const name of [page.address, `/${pagePath(page.file)}`].map(loosened))
      if (!table.has(name)) table.set(name, page);
  }
  return table;
}

/** Number prefixes, case and unusual characters are ignored. */
function loosened(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      cleanSegment(segment)
        .toLowerCase()
        .replace(/^\d+[-_.]+(?=.)/, ''),
    )
    .join('/');
}

/** The id in front matter, with its folder. */
function qualifiedId(page: IndexedPage): string | undefined {
  const { id } = page.facts.front;
  if (id === undefined) return undefined;
  const folder = posix.dirname(page.file).replace(/^(?:docs|blog|pages)\/?/, '');
  return folder ? `${folder}/${id.name}` : id.name;
}

/** Pages in one folder with the same id: links lead to the first of them. */
export function duplicateIds(pages: readonly IndexedPage[]): Fault[] {
  const holders = new Map<string, string>();
  return pages.flatMap((page): Fault[] => {
    const id = qualifiedId(page);
    const place = page.facts.front.id;
    if (id === undefined || place === undefined) return [];
    const holder = holders.get(id);
    holders.set(id, holder ?? page.file);
    if (holder === undefined) return [];
    const message = `The id “${place.name}” is also used by ${holder}.`;
    return [{ file: page.file, line: place.line, column: place.column, rule: 'duplicate-id', message }];
  });
}
