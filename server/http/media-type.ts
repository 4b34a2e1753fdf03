import { extname } from 'node:path';
import { contentType } from 'mime-types';

/** A file's media type by its name, with a charset for text; unknown types are downloads. */
export function mediaType(file: string): string {
  return contentType(extname(file)) || 'application/octet-stream';
}
