/** Where a line is written. */
export interface LineOrigin {
  /** From 1. */
  at: number;
  /** Below the content folder; absent for a line of the page itself. */
  file?: string;
  /** The line's links are relative to its own file, not to the page. */
  ownLinks?: true;
}

export interface PlacedLine extends LineOrigin {
  text: string;
}

/** The part of a file to take: undefined for a part that it does not have; `tell` receives what is missing from one. */
export type TakePart = (lines: readonly PlacedLine[], tell: (problem: string) => void) => PlacedLine[] | undefined;

/** A marker in a line that is replaced with another file. */
export interface Include {
  /** The marker's columns, from 0. */
  start: number;
  end: number;
  /** As written, for messages. */
  written: string;
  /** Where the file may be, below the content folder; the first that exists is taken. */
  candidates: string[];
  /** Default: the whole file, for markdown without its front matter. */
  take?: TakePart;
  /** The info string of the fence, when the file is shown as code. */
  fence?: string;
  /** The text before the marker is put before every line. */
  repeatsPrefix?: boolean;
  ownLinks?: true;
  /** Texts that replace `{props.name}`. */
  props?: ReadonlyMap<string, string>;
}

/** Where a line is that may contain a marker. */
export interface Place {
  /** The file that contains the line, below the content folder. */
  file: string;
  /** Inside a fenced block. */
  code: boolean;
  /** The page's imported files: name → path. */
  imports: ReadonlyMap<string, string>;
  /** Folders that snippets are looked up in, below the content folder. */
  snippetFolders: readonly string[];
}

/** One tool's syntax: the markers of a line. */
export type FindIncludes = (text: string, place: Place) => Include[];
