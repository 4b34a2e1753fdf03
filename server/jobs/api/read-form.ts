import type { Request, Response } from 'express';
import { HttpError } from '../../http/errors.ts';
import type { JsonBody } from '../../http/json-body.ts';
import { rawBodyReader } from '../../http/raw-body.ts';

const readBytes = rawBodyReader(1024 * 1024);

/** Reads a multipart form as a body: files become their text. */
export async function readForm(req: Request, res: Response): Promise<JsonBody> {
  const bytes = await readBytes(req, res);
  const headers = { 'content-type': req.headers['content-type'] ?? '' };
  let form: FormData;
  try {
    form = await new globalThis.Response(new Uint8Array(bytes), { headers }).formData();
  } catch (cause) {
    throw new HttpError('BAD_REQUEST', { cause });
  }
  const value: Record<string, string> = {};
  for (const [name, part] of form) value[name] = typeof part === 'string' ? part : await part.text();
  return { bytes, value };
}
