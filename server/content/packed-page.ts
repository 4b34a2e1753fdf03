import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Body, CompiledPage } from './page-facts.ts';
import { bodySchema, factsSchema, type StoredFacts } from './page-schema.ts';

/** Compiled pages as stored in the cache: facts as JSON, the body as JSON compressed with Zstandard. */
export interface PackedPage {
  facts: string;
  body: Uint8Array;
}

// Far more than a compiled page of the largest size needs, and less than would crash the process.
const maxBodyBytes = 256 * 1024 * 1024;

/** Packs a page for the cache. */
export function pack(page: CompiledPage): PackedPage {
  const stored: StoredFacts = { ...page.facts, ...(page.broken && { broken: page.broken }) };
  const params = { [constants.ZSTD_c_compressionLevel]: 3 };
  return { facts: JSON.stringify(stored), body: zstdCompressSync(JSON.stringify(page.body), { params }) };
}

/**
 * Unpacks facts.
 * @throws when they are not what `pack` writes
 */
export function unpackFacts(json: string): StoredFacts {
  return factsSchema.parse(JSON.parse(json));
}

/**
 * Unpacks a body.
 * @throws when it is not what `pack` writes
 */
export function unpackBody(data: Uint8Array): Body {
  return bodySchema.parse(JSON.parse(zstdDecompressSync(data, { maxOutputLength: maxBodyBytes }).toString()));
}
