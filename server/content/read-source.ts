import { createHash } from 'node:crypto';
import { errorMessage } from '../error-message.ts';
import { bounds, tooLarge, tooLong } from './bounds.ts';
import { placeNow } from './confine.ts';
import { type Expanded, expandIncludes } from './includes/expand.ts';
import type { LineOrigin } from './includes/include.ts';
import type { Prints } from './includes/printed.ts';
import { createIncludeReader, type ReadInclude } from './includes/read-include.ts';
import type { LoadedPage } from './index/pages.ts';
import { brokenPage, type PlacedFault } from './page-facts.ts';
import { lineWithoutUtf8, type ReadBytes, readBytes } from './read-text.ts';
import type { SourceFile } from './sources.ts';

/** A page that has been read, with the files that it includes. */
export interface ReadSource extends SourceFile {
  /** The cache key of facts and body. */
  key: string;
  source: string;
  /** Where the lines come from, for a page that includes other files. */
  origins?: LineOrigin[];
  /** Why it is not compiled, for a page that is too large with its included files. */
  beyond?: string;
  /** What was wrong when it was read and put together. */
  readFaults?: PlacedFault[];
  /** Files below the content folder whose change changes the page. */
  includes?: readonly string[];
  /** Day of the last change, for posts only. */
  changed: string;
}

interface SourceReaderOptions {
  contentDir: string;
  salt: string;
  snippetFolders: readonly string[];
  prints: Prints;
}

/** Creates the reader for a content folder's pages and everything they include, each file once. */
export function createSourceReader(options: SourceReaderOptions) {
  const read = createIncludeReader(options.contentDir);
  return (file: SourceFile): ReadSource | LoadedPage => readSource(file, { ...options, read });
}

export type SourceReader = ReturnType<typeof createSourceReader>;

type Reading = SourceReaderOptions & { read: ReadInclude };

/** A file's text; or, when it cannot be read or is too large, the page that takes its place. */
function readSource({ file, path, kind, builtIn }: SourceFile, reading: Reading): ReadSource | LoadedPage {
  const place = { file, path, kind, builtIn };
  try {
    const found = bytesOf(path, reading.contentDir);
    if ('problem' in found) return failedPage(place, `it ${found.problem}`);
    const { bytes, stats } = found;
    if (bytes === undefined) return pageWithout(place, tooLarge(file, stats.size));
    // Text in another encoding, including its front matter, is garbled.
    if (bytes.includes(0)) return pageWithout(place, `The file ${file} is not text: save it as UTF-8.`);
    const source = bytes
      .toString()
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?/g, '\n');
    const faults = encodingFaults(bytes);
    const changed = kind === 'post' ? stats.mtime.toISOString().slice(0, 10) : '';
    const key = keyOf(reading.salt, kind, file.endsWith('.mdx') ? 'mdx' : 'md', source, JSON.stringify(faults));
    const expanded = builtIn ? undefined : expandIncludes(source, { ...reading, file });
    const read = { ...place, source, changed, key, readFaults: faults };
    if (!expanded) return read;
    return { ...read, ...withIncludes(read, { ...expanded, faults: [...faults, ...expanded.faults] }) };
  } catch (error) {
    return failedPage(place, errorMessage(error));
  }
}

/** The file's current content: pages are read again long after they were found. */
function bytesOf(path: string, contentDir: string): ReadBytes | { problem: string } {
  const place = placeNow(contentDir, path);
  return 'problem' in place ? place : readBytes(place.path);
}

/** Why a page with everything it includes is not compiled, checked before anyone gets it. */
function beyondSize(file: string, source: string): string | undefined {
  const name = `${file} with its included files`;
  const bytes = Buffer.byteLength(source);
  if (bytes > bounds.bytes) return tooLarge(name, bytes);
  const lines = source.split('\n').length;
  return lines > bounds.lines ? tooLong(name, lines) : undefined;
}

/** Characters that are not UTF-8 are shown as question marks. */
function encodingFaults(bytes: Buffer): PlacedFault[] {
  const line = lineWithoutUtf8(bytes);
  if (line === undefined) return [];
  const message =
    'The file is not saved as UTF-8: characters on this line, and perhaps on others, are lost. Save it as UTF-8.';
  return [{ line, column: 1, rule: 'encoding', message }];
}

/** The targets of an included file's links depend on the location of both files. */
function withIncludes({ key, file }: ReadSource, { lines, faults, looked }: Expanded) {
  const source = lines.map(({ text }) => text).join('\n');
  const beyond = beyondSize(file, source);
  // The page's own text says who may see it.
  if (beyond !== undefined) return { beyond, includes: [...looked], key: keyOf(key, beyond) };
  const origins = lines.map(({ text: _, ...origin }): LineOrigin => origin);
  const whole = keyOf(key, file, source, JSON.stringify(origins), JSON.stringify(faults));
  return { source, origins, readFaults: faults, includes: [...looked], key: whole };
}

/** The page in place of one that was not compiled for lack of time, memory or a file; it may be sound. */
export function failedPage(file: SourceFile, reason: string): LoadedPage {
  const sentence = `The file ${file.file} could not be compiled: ${reason.replace(/\.$/, '')}. It will be tried again.`;
  return { ...pageWithout(file, sentence), transient: true };
}

function pageWithout({ file, path, kind, builtIn }: SourceFile, reason: string): LoadedPage {
  const facts = { ...brokenPage([reason]).facts, broken: [reason] };
  // Not the source's key: content with this page differs from the same content with the text.
  return { file, path, kind, builtIn, key: keyOf(file, reason), changed: '1970-01-01', facts };
}

/** What remains of a source once it is compiled. */
export function withoutText({
  source: _,
  origins: _o,
  readFaults: _f,
  beyond: _b,
  ...read
}: ReadSource): Omit<LoadedPage, 'facts'> {
  return read;
}

/** A short hash over all parts. */
export function keyOf(...parts: string[]): string {
  const made = createHash('sha256');
  for (const part of parts) made.update(part).update('\0');
  return made.digest('base64url').slice(0, 24);
}
