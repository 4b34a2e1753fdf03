/** Reads what pages are made from, and tells by a hash whether they have been compiled before. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { bounds, tooLarge } from './bounds.ts';
import type { LoadedPage } from './index/pages.ts';
import { brokenPage } from './page-facts.ts';
import type { SourceFile } from './sources.ts';

export interface ReadSource extends SourceFile {
  /** Where facts and body lie in the cache. */
  key: string;
  source: string;
  /** Day of the last change, of posts only. */
  changed: string;
}

/** The text of a file; or, when it cannot be read or is too large, the page that stands in its place. */
export function readSource({ file, path, kind, builtIn }: SourceFile, salt: string): ReadSource | LoadedPage {
  const place = { file, path, kind, builtIn };
  try {
    const { size, mtime } = statSync(path);
    if (size > bounds.bytes) return withoutText(place, tooLarge(file, size));
    const source = readFileSync(path, 'utf8');
    const changed = kind === 'post' ? mtime.toISOString().slice(0, 10) : '';
    return { ...place, source, changed, key: keyOf(salt, kind, file.endsWith('.mdx') ? 'mdx' : 'md', source) };
  } catch (error) {
    return failedPage(place, error instanceof Error ? error.message : String(error));
  }
}

/** The page in the place of one that was not compiled for want of time, of memory, of a file; it may be sound. */
export function failedPage(file: SourceFile, reason: string): LoadedPage {
  const sentence = `The file ${file.file} could not be compiled: ${reason.replace(/\.$/, '')}. It is tried again.`;
  return { ...withoutText(file, sentence), transient: true };
}

function withoutText({ file, path, kind, builtIn }: SourceFile, reason: string): LoadedPage {
  const facts = { ...brokenPage([reason]).facts, broken: [reason] };
  // Not the key of the source: content with this page is other content than the same with the text.
  return { file, path, kind, builtIn, key: keyOf(file, reason), changed: '1970-01-01', facts };
}

/** A short hash over all parts. */
export function keyOf(...parts: string[]): string {
  const made = createHash('sha256');
  for (const part of parts) made.update(part).update('\0');
  return made.digest('base64url').slice(0, 24);
}
