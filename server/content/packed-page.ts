/** Compiled pages as they lie in the cache: facts as JSON, the body as JSON packed by Zstandard. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Body, CompiledPage, PageFacts } from './page-facts.ts';

export interface PackedPage {
  facts: string;
  body: Uint8Array;
  broken: boolean;
}

/** What the JSON of `facts` holds. */
export interface StoredFacts extends PageFacts {
  broken?: string[];
}

/** Packs a page for the cache. */
export function pack(page: CompiledPage): PackedPage {
  const stored: StoredFacts = { ...page.facts, ...(page.broken && { broken: page.broken }) };
  const params = { [constants.ZSTD_c_compressionLevel]: 3 };
  const body = zstdCompressSync(JSON.stringify(page.body), { params });
  return { facts: JSON.stringify(stored), body, broken: page.broken !== undefined };
}

/** Reads facts back. The key names the pipeline's version, so what was written is what is read. */
export function unpackFacts(json: string): StoredFacts {
  const stored: StoredFacts = JSON.parse(json);
  return stored;
}

/** Reads a body back. */
export function unpackBody(data: Uint8Array): Body {
  const body: Body = JSON.parse(zstdDecompressSync(data).toString());
  return body;
}
