import type { CachedResponse } from './cached-response.ts';

/** Stored answers by key, bounded by bytes, the least recently used given up first. */
export class ResponseCache {
  readonly #maxBytes: number;
  readonly #answers = new Map<string, CachedResponse>();
  readonly #making = new Map<string, Promise<CachedResponse>>();
  #bytes = 0;
  #version = '';
  #since = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** When the content in force was met first, in epoch milliseconds: what is made from it is no newer. */
  get since(): number {
    return this.#since;
  }

  /** Forgets everything when the content is another one. */
  keepOnly(version: string): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#since = Date.now();
    this.#answers.clear();
    this.#making.clear();
    this.#bytes = 0;
  }

  get(key: string): CachedResponse | undefined {
    const answer = this.#answers.get(key);
    if (answer) {
      this.#answers.delete(key);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  /** The answer of a key, made at most once however many ask for it at the same time; failures are not kept. */
  load(key: string, make: () => Promise<CachedResponse>): Promise<CachedResponse> {
    const stored = this.get(key);
    if (stored) return Promise.resolve(stored);
    const underway = this.#making.get(key);
    if (underway) return underway;
    const version = this.#version;
    const making = make().then(
      (answer) => {
        // Made from content that is gone: good for those who wait, not to be kept.
        if (version === this.#version) {
          this.#making.delete(key);
          this.#keep(key, answer);
        }
        return answer;
      },
      (error: unknown) => {
        if (version === this.#version) this.#making.delete(key);
        throw error;
      },
    );
    this.#making.set(key, making);
    return making;
  }

  #keep(key: string, answer: CachedResponse): void {
    if (answer.weight > this.#maxBytes / 8) return;
    answer.markKept();
    this.#answers.set(key, answer);
    this.#bytes += answer.weight;
    for (const [oldest, given] of this.#answers) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#answers.delete(oldest);
      this.#bytes -= given.weight;
    }
  }
}
