import { createHash } from 'node:crypto';

/** The hash of a script or a style sheet as a content security policy and an `integrity` name it: `sha256-…`. */
export function sourceHash(source: string | Buffer): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`;
}
