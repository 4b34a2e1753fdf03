import { randomUUID } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { dayOf } from '../../../client/contract/dates.ts';
import type { Log } from '../../log.ts';
import type { Database } from '../../storage/database.ts';
import { StoreUserFault } from '../../storage/store-user-fault.ts';

export interface PageView {
  src: string;
  kw: string;
  vbId: string;
  clientId: string;
  uri: string;
  /** The request's address; stored truncated. */
  address: string;
  /** Epoch milliseconds. */
  at: number;
}

const mostWaiting = 2_000;
const batch = 200;
const flushMs = 1_000;
export const keptMs = 90 * 86_400_000;

/** Page views on their way to the store: queued up to a limit and written in batches, so orders never wait for them. */
export interface PageViews {
  /** Queues one; views beyond the limit are dropped and counted. */
  add(view: PageView): void;
  /** Writes what is queued. */
  flush(): Promise<void>;
  /** Writes what is queued and stops. */
  close(): Promise<void>;
}

/** Opens the queue of page views. */
export function openPageViews(database: Database, log: Log): PageViews {
  const waiting: PageView[] = [];
  let dropped = 0;
  let writing: Promise<void> = Promise.resolve();
  const fault = new StoreUserFault(log, {
    lasts: 'page views could not be stored',
    over: 'page views are stored again',
  });

  function flush(): Promise<void> {
    writing = writing.then(write).then(
      () => fault.succeeded(),
      (error: unknown) => {
        fault.failed(error);
      },
    );
    return writing;
  }

  async function write(): Promise<void> {
    if (dropped > 0) {
      log.warn({ dropped }, 'page views were dropped');
      dropped = 0;
    }
    while (waiting.length > 0) {
      const views = waiting.slice(0, batch);
      await database.transaction(async (queries) => {
        for (const view of views) {
          await queries.run(
            'INSERT INTO page_view (id, at, day, uri, src, kw, vb_id, client_id, address) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
            [
              randomUUID(),
              view.at,
              dayOf(view.at),
              view.uri,
              view.src,
              view.kw,
              view.vbId,
              view.clientId,
              truncated(view.address),
            ],
          );
        }
      });
      // Only now: views that could not be written wait for the next attempt.
      waiting.splice(0, views.length);
    }
  }

  const timer = setInterval(() => {
    if (waiting.length > 0 || dropped > 0) void flush();
  }, flushMs).unref();

  return {
    add(view) {
      if (waiting.length >= mostWaiting) dropped += 1;
      else waiting.push(view);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** The network of an address: its first 24 bits, or 48 for IPv6. */
function truncated(address: string): string {
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0`;
  const [head = ''] = address.split('::');
  return `${head.split(':').slice(0, 3).join(':')}::`;
}
