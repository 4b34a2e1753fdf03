import { posix } from 'node:path';

/**
 * A relative link or picture of an included file, as its page would write it.
 * @param folder the included file's, relative to the page's
 */
export function movedAddress(address: string, folder: string | undefined): string {
  if (folder === undefined || /^(?:[a-z][a-z0-9+.-]*:|[/#?]|$)/i.test(address)) return address;
  // The rest, its query and its anchor, is not part of the path.
  return address.replace(/^[^?#]+/, (path) => posix.join(folder, path));
}
