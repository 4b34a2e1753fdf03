import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const scriptTag = /<script (?=[^>]*?\bsrc="([^"]+)")/g;

/**
 * Makes what adds to each script tag of a document the hash of the file it names, so that a browser runs no other bytes.
 * @param clientDir folder of the built files
 * @returns takes and gives HTML; throws when a script was not built
 */
export function scriptIntegrity(clientDir: string): (html: string) => string {
  const known = new Map<string, string>();
  const integrityOf = (src: string) => {
    const hash =
      known.get(src) ??
      `sha256-${createHash('sha256')
        .update(readFileSync(join(clientDir, src)))
        .digest('base64')}`;
    known.set(src, hash);
    return hash;
  };
  return (html) => html.replace(scriptTag, (tag, src: string) => `${tag}integrity="${integrityOf(src)}" `);
}
