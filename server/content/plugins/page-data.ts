import type { Root } from 'hast';
import type { VFile } from 'vfile';
import type { TocEntry } from '../../../client/contract/reading.ts';
import type { Brand } from '../../../client/contract/site.ts';
import type { Front, PageKind, PlacedFault, Reference } from '../page-facts.ts';

/** What travels on the VFile: the plugins' input, and the facts they leave for the index. */
export interface PageData {
  kind: PageKind;
  brand: Brand;
  front: Front;
  heading?: string;
  intro: string;
  toc: TocEntry[];
  text: string;
  ids: string[];
  topIds: string[];
  references: Reference[];
  faults: PlacedFault[];
  excerpt?: Root;
  readingMinutes: number;
  /** The folder that a line's relative links start from, unless it is the page's folder. */
  folderOf?: (line: number) => string | undefined;
  /** The file in which a line is written, for a page that includes others; undefined for its own lines. */
  fileOf?: (line: number) => string | undefined;
  /** The author writes about our md-* elements. */
  namesOwnElements: boolean;
}

declare module 'vfile' {
  interface DataMap {
    page: PageData;
  }
}

/** Page data with nothing found yet. */
export function newPageData(kind: PageKind, brand: Brand, front: Front): PageData {
  return {
    kind,
    brand,
    front,
    intro: '',
    toc: [],
    text: '',
    ids: [],
    topIds: [],
    references: [],
    faults: [],
    readingMinutes: 1,
    namesOwnElements: false,
  };
}

/** The page data of a file in the pipeline. */
export function pageData(file: VFile): PageData {
  if (!file.data.page) throw new Error('A file entered the pipeline without page data.');
  return file.data.page;
}
