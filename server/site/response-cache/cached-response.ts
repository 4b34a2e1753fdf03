import { createHash } from 'node:crypto';
import type { Coding } from '../../http/accept-encoding.ts';
import { toBestBrotli, toBrotli, toGzip } from '../../http/compress.ts';

/** A response's bytes in one coding, with every header but the request's own. */
export interface Variant {
  body: Buffer;
  /** Flat list of names and values, the fastest form for `writeHead`. */
  headers: readonly string[];
  /** For a 304. */
  notModifiedHeaders: readonly string[];
  /** Entity tags of these bytes in this coding: the current one and earlier ones. */
  tags: readonly string[];
}

interface ResponseParts {
  status: number;
  /** For the log. */
  route: string;
  headers: Readonly<Record<string, string>>;
  /** Request headers that the response depends on, besides Accept-Encoding. */
  vary?: readonly string[];
  body: Buffer;
  /** The body's smallest brotli form, if the build has created it. */
  brotli?: Buffer;
  /** Epoch milliseconds. */
  lastModified: number;
}

/** Bytes; the build compresses files from this size on. */
const worthCompressing = 256;
const compressible = /^(?:text\/|application\/(?:json|javascript|xml|yaml|manifest\+json|[a-z]+\+xml)|image\/svg)/;
// Includes the policy: a copy that stays valid must not keep an older one.
const keptOn304 = new Set(['cache-control', 'content-security-policy', 'vary', 'last-modified', 'etag']);

/** A response that can be sent repeatedly: bytes, entity tags and compressed forms are computed once. */
export class CachedResponse {
  readonly status: number;
  readonly route: string;
  /** HTTP date. */
  readonly lastModified: string;
  /** The memory it may take with its compressed forms. */
  readonly weight: number;
  readonly parts: ResponseParts;
  readonly #hash: string;
  readonly #compresses: boolean;
  readonly #variants = new Map<Coding, Variant | Promise<Variant>>();
  #kept = false;

  constructor(parts: ResponseParts) {
    this.status = parts.status;
    this.route = parts.route;
    this.lastModified = new Date(parts.lastModified).toUTCString();
    this.weight = Math.ceil(parts.body.length * 1.6) + 4096;
    this.parts = parts;
    this.#hash = createHash('sha256').update(parts.body).digest('base64url').slice(0, 20);
    this.#compresses = parts.body.length >= worthCompressing && compressible.test(parts.headers['Content-Type'] ?? '');
    if (parts.brotli) this.#variants.set('br', this.#describe('br', parts.brotli, ['-br']));
  }

  /** The bytes for a coding; a promise only while they are compressed for the first time. */
  variant(coding: Coding): Variant | Promise<Variant> {
    const wanted = this.#compresses ? coding : 'identity';
    const made = this.#variants.get(wanted);
    if (made) return made;
    if (wanted === 'identity') {
      const variant = this.#describe('identity', this.parts.body, ['']);
      this.#variants.set(wanted, variant);
      return variant;
    }
    const making = wanted === 'br' ? this.#makeBrotli() : this.#makeGzip();
    this.#variants.set(wanted, making);
    return making;
  }

  /** Called by the cache: the smallest form is worth its time only for a response that is sent again. */
  markKept(): void {
    this.#kept = true;
  }

  async #makeGzip(): Promise<Variant> {
    const variant = this.#describe('gzip', await toGzip(this.parts.body), ['-gz']);
    this.#variants.set('gzip', variant);
    return variant;
  }

  async #makeBrotli(): Promise<Variant> {
    const quick = this.#describe('br', await toBrotli(this.parts.body, 5), ['-br5', '-br']);
    this.#variants.set('br', quick);
    if (this.#kept) this.#improveBrotli().catch(() => undefined); // the quick form stays
    return quick;
  }

  async #improveBrotli(): Promise<void> {
    const best = await toBestBrotli(this.parts.body);
    // Other bytes need another strong tag; a copy with the quick form's tag is still the same page.
    if (best) this.#variants.set('br', this.#describe('br', best, ['-br', '-br5']));
  }

  #describe(coding: Coding, body: Buffer, suffixes: readonly string[]): Variant {
    const tags = suffixes.map((suffix) => `"${this.#hash}${suffix}"`);
    const vary = [...(this.#compresses ? ['Accept-Encoding'] : []), ...(this.parts.vary ?? [])];
    const all = Object.entries(this.parts.headers);
    if (vary.length > 0) all.push(['Vary', vary.join(', ')]);
    if (coding !== 'identity') all.push(['Content-Encoding', coding]);
    if (this.status === 200) all.push(['ETag', tags[0] ?? ''], ['Last-Modified', this.lastModified]);
    all.push(['Content-Length', String(body.length)]);
    return {
      body,
      tags,
      headers: all.flat(),
      notModifiedHeaders: all.filter(([name]) => keptOn304.has(name.toLowerCase())).flat(),
    };
  }
}
