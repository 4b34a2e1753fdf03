import { createHash } from 'node:crypto';

/** The hash of a script or a style sheet in the form of a content security policy and `integrity`: `sha256-…`. */
export function sourceHash(source: string | Buffer): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`;
}
