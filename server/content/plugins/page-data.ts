import type { Root } from 'hast';
import type { VFile } from 'vfile';
import type { TocEntry } from '../../../client/contract/reading.ts';
import type { Brand } from '../../../client/contract/site.ts';
import type { Front, PageKind, PlacedFault, Reference } from '../page-facts.ts';

/** What travels on the VFile: what the plugins are told, and the facts they leave for the index. */
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
  /** Where relative links of a line lead from, when that is not the folder of the page. */
  folderOf?: (line: number) => string | undefined;
  /** The file that a line is written in, of a page that includes others; undefined for its own. */
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

/** The page data of a file on its way through the pipeline. */
export function pageData(file: VFile): PageData {
  if (!file.data.page) throw new Error('A file entered the pipeline without page data.');
  return file.data.page;
}
