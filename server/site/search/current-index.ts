import type { Content } from '../../content/content.ts';
import type { ContentLoader } from '../../content/loader.ts';
import type { Log } from '../../log.ts';
import { readyIndex } from './ready-index.ts';
import { SearchIndex } from './search-index.ts';

/** The search index of the current content, built once for each version of it that is searched. */
export class CurrentIndex {
  readonly #loader: Pick<ContentLoader, 'whole'>;
  readonly #log: Log;
  #content: Content;
  #building: Promise<SearchIndex> | undefined;
  #isStopped = false;

  constructor(content: Content, loader: Pick<ContentLoader, 'whole'>, log: Log) {
    this.#content = content;
    this.#loader = loader;
    this.#log = log;
  }

  /** The index once it is built. @throws SearchNotReady, and what building it threw */
  ready(): Promise<SearchIndex> {
    return readyIndex(this.begin());
  }

  /** Builds it, unless that has begun. */
  begin(): Promise<SearchIndex> {
    this.#building ??= this.#build(this.#content);
    return this.#building;
  }

  /** Takes newer content; an index of the older one is not finished. */
  renew(content: Content): void {
    this.#content = content;
    this.#building = undefined;
  }

  /** Does not finish what is being built. */
  stop(): void {
    this.#isStopped = true;
  }

  #build(content: Content): Promise<SearchIndex> {
    const isOutdated = () => this.#isStopped || this.#content !== content;
    const building = this.#loader.whole(() => SearchIndex.build(content, isOutdated));
    building.catch((error: unknown) => this.#log.error({ err: error }, 'the search index could not be built'));
    return building;
  }
}
