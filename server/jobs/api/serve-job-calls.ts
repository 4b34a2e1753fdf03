import type { Request, RequestHandler, Response } from 'express';
import { openApi } from '../../../client/contract/jobs/calls.ts';
import { toRefusal } from '../../console/errors.ts';
import { comesWithKey, keyRefusal } from '../../http/api-key.ts';
import { HttpError } from '../../http/errors.ts';
import { type JsonBody, jsonBodyReader } from '../../http/json-body.ts';
import { contextOf } from '../../http/request-context.ts';
import { sendText } from '../../http/send-error.ts';
import { JobError } from '../errors.ts';
import { noteUse } from '../keys/keys.ts';
import type { JobServices } from '../services.ts';
import { callerOf, type Proof, prove, requireAccess } from './authenticate.ts';
import type { JobCallRow } from './define-job-call.ts';
import type { KeyAnswer, Refusal } from './envelope.ts';
import { jobCallRows } from './job-call-rows.ts';
import { readForm } from './read-form.ts';

const readBody = jsonBodyReader({ maxBytes: 32 * 1024, maxDepth: 10 });
const readLargeBody = jsonBodyReader({ maxBytes: 1024 * 1024, maxDepth: 40 });
const json = 'application/json; charset=utf-8';

/** Answers the calls for jobs: those of the open API, and the others. */
export function serveJobCalls(services: JobServices): RequestHandler {
  const byPath = new Map(jobCallRows.map((call) => [call.path, call]));

  return async (req, res, next) => {
    const context = contextOf(req);
    const call = byPath.get(context.path);
    const isOpen = context.path.startsWith(`${openApi}/`);
    if (!call && !isOpen) return next();
    context.route = call?.path ?? `${openApi}/*`;
    if (req.method !== 'POST') throw new HttpError('METHOD_NOT_ALLOWED', { headers: { Allow: 'POST' } });
    // With a key, the answer has the open API's envelope.
    if (!comesWithKey(req, context.query)) {
      const proof = await prove(services, req);
      const data = await answerBySession(services, call, proof, req, res);
      return sendText(res, 200, json, JSON.stringify({ success: true, data: data ?? null }));
    }
    await answerByKey(services, call, req, res);
  };
}

async function answerBySession(
  services: JobServices,
  call: JobCallRow | undefined,
  proof: Proof,
  req: Request,
  res: Response,
): Promise<unknown> {
  try {
    return await answer(services, call, proof, req, res);
  } catch (error) {
    if (!(error instanceof JobError) || error.code !== 'MISSING_PARAMETER') throw error;
    throw new HttpError('INVALID_FIELDS', { fields: { ...error.fields } });
  }
}

async function answer(
  services: JobServices,
  call: JobCallRow | undefined,
  proof: Proof,
  req: Request,
  res: Response,
): Promise<unknown> {
  if (!call) throw new JobError('NOT_OFFERED', `This version does not offer the call ${nameOf(contextOf(req).path)}.`);
  await requireAccess(services, proof, call.group);
  const body = await bodyOf(call, req, res);
  // PostgreSQL cannot store this character as text, and no field of a call needs it.
  if (body?.bytes.includes('\\u0000') || body?.bytes.includes(0)) throw new HttpError('BAD_JSON');
  return call.answer(body?.value, callerOf(proof), services);
}

function bodyOf(call: JobCallRow, req: Request, res: Response): Promise<JsonBody | undefined> {
  if (call.multipart && /^multipart\/form-data\b/i.test(req.headers['content-type'] ?? '')) return readForm(req, res);
  return (call.large ? readLargeBody : readBody)(req, res);
}

/** Last part of a path, as far as it can be shown. */
function nameOf(path: string): string {
  return path.slice(openApi.length + 1, openApi.length + 81).replace(/[^\w/-]/g, '');
}

async function answerByKey(
  services: JobServices,
  call: JobCallRow | undefined,
  req: Request,
  res: Response,
): Promise<void> {
  const { id, address, path } = contextOf(req);
  let proof: Proof | undefined;
  let status = 200;
  let envelope: KeyAnswer | Refusal;
  try {
    proof = await prove(services, req);
    const data = await answer(services, call, proof, req, res);
    envelope = { requestId: id, code: '1', msg: 'ok', data: data ?? null, success: true };
  } catch (thrown) {
    const error = toRefusal(thrown);
    if (error.status >= 500) {
      services.log.error(
        { id, route: contextOf(req).route, code: error.code, err: error.cause ?? thrown },
        error.message,
      );
    }
    // For these clients, an invalid field is a business refusal.
    status = error.code === 'INVALID_FIELDS' ? 200 : error.status;
    envelope = keyRefusal(error, id);
    for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  }
  if (proof?.kind === 'key') await noteUse(services, proof.key, { call: nameOf(path) || path, address, status });
  sendText(res, status, json, JSON.stringify(envelope));
}
