import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';

const passedBack = [
  'content-type',
  'content-length',
  'content-range',
  'content-disposition',
  'accept-ranges',
  'cache-control',
  'etag',
  'last-modified',
  'location',
  'retry-after',
  'x-accel-buffering',
] as const;

/** Gives an answer the backend's status and the headers that describe the forwarded data. */
export function passHead(answer: IncomingMessage, res: Response): void {
  res.status(answer.statusCode ?? 502);
  for (const name of passedBack) {
    const value = answer.headers[name];
    if (value !== undefined) res.setHeader(name, value);
  }
}
