/** Where a line is written. */
export interface LineOrigin {
  /** From 1. */
  at: number;
  /** Below the content folder; missing for a line of the page itself. */
  file?: string;
  /** Links of the line lead from its own file, not from the page. */
  ownLinks?: true;
}

export interface PlacedLine extends LineOrigin {
  text: string;
}

/** What to take of a file: undefined for a part that it does not have; `tell` takes in what is missing of one. */
export type TakePart = (lines: readonly PlacedLine[], tell: (problem: string) => void) => PlacedLine[] | undefined;

/** A mark in a line that another file is to be put in for. */
export interface Include {
  /** Columns of the mark, from 0. */
  start: number;
  end: number;
  /** As it is written, for people. */
  written: string;
  /** Where the file may lie, below the content folder; the first that exists is taken. */
  candidates: string[];
  /** Default: the whole file, of markdown without its front matter. */
  take?: TakePart;
  /** The words after the fence, when the file is shown as code. */
  fence?: string;
  /** What stands before the mark is put before every line. */
  repeatsPrefix?: boolean;
  ownLinks?: true;
  /** Texts in the place of `{props.name}`. */
  props?: ReadonlyMap<string, string>;
}

/** Where a line stands that may hold a mark. */
export interface Place {
  /** The file that holds the line, below the content folder. */
  file: string;
  /** Inside a fenced block. */
  code: boolean;
  /** Imported files of the page: name → path. */
  imports: ReadonlyMap<string, string>;
  /** Folders that snippets are looked for in, below the content folder. */
  snippetFolders: readonly string[];
}

/** One tool's way: the marks of a line. */
export type FindIncludes = (text: string, place: Place) => Include[];
