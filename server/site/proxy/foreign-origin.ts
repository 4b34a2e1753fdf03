import type { IncomingMessage } from 'node:http';
import type { SiteConfig } from '../../config/site.ts';
import type { Log } from '../../log.ts';

const thisMachine = /^(localhost|127\.[\d.]+|\[::1\]|.*\.localhost)$/;

/**
 * Warns, once, when a browser calls from an address that the site does not know as its own because `PUBLIC_URL` is not
 * set. The Origin header names it behind every proxy; Host may be the proxy's.
 */
export function foreignOriginWatch(
  { isPublicUrlSet, publicUrl }: SiteConfig,
  log: Log,
): (req: IncomingMessage) => void {
  let isWatching = !isPublicUrlSet;
  return ({ headers: { origin } }) => {
    if (!isWatching || origin === undefined) return;
    const visited = URL.parse(origin);
    if (!visited?.host || thisMachine.test(visited.hostname)) return;
    isWatching = false;
    log.warn(
      { origin: visited.origin },
      `PUBLIC_URL is not set, so links in mails and invoices and the way back from payment lead to ${publicUrl}: set it to the address that visitors use`,
    );
  };
}
