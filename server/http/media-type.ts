import { extname } from 'node:path';
import { contentType } from 'mime-types';

/** Media type of a file by its name, with its charset if it is text; unknown ones are downloads. */
export function mediaType(file: string): string {
  return contentType(extname(file)) || 'application/octet-stream';
}
