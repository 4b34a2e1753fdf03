import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { passHead } from './pass-head.ts';
import { readBeginning, unreachable } from './upstream.ts';
import { validateHead, validateResponse } from './validate-response.ts';

/**
 * Forwards a call's answer once it is complete, so an invalid one becomes the envelope. Beyond 4 MB, the rest is
 * forwarded as it comes, until `signal` ends it.
 */
export async function passCall(answer: IncomingMessage, res: Response, signal: AbortSignal): Promise<void> {
  const { bytes, isWhole } = await readBeginning(answer, signal);
  const head = { status: answer.statusCode ?? 0, headers: answer.headers };
  if (isWhole) {
    validateResponse({ ...head, body: bytes });
    passHead(answer, res);
    res.end(bytes);
    return;
  }
  try {
    validateHead(head);
  } catch (error) {
    answer.destroy();
    throw error;
  }
  passHead(answer, res);
  res.write(bytes);
  await pipeline(answer, res).catch((cause: unknown) => {
    throw unreachable(cause, signal);
  });
}
