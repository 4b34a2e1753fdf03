import { setTimeout as delay } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { HttpError } from '../../http/errors.ts';
import { contextOf } from '../../http/request-context.ts';
import { isStillProved, type Proof, prove, requireAccess } from '../api/authenticate.ts';
import { jobOf } from '../jobs.ts';
import { noteUse } from '../keys/keys.ts';
import type { JobServices } from '../services.ts';
import { LiveReader } from './live-reader.ts';

/** Streams that one account may have open, and all accounts together. */
const mostOfAccount = 8;
const mostInAll = 200;
const aliveEveryMs = 10_000;
/** As long as the page waits. After a shorter silence the client would seem gone when only this machine stood still. */
const silentMs = 30_000;
const lookEveryMs = 1_000;
/** Changes within this time are sent together. */
const gatherMs = 250;
/** A reader this far behind is cut off: it comes back and starts over. */
const mostBuffered = 1024 * 1024;

/** `GET …/job/events`: changes in the account's jobs, or in one, as server-sent events. */
export function serveJobEvents(services: JobServices): RequestHandler {
  const open = new Map<string, number>();
  let all = 0;

  return async (req, res, next) => {
    const context = contextOf(req);
    if (context.path !== jobCalls.jobEvents) return next();
    context.route = jobCalls.jobEvents;
    if (req.method !== 'GET') throw new HttpError('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET' } });
    const proof = await admit(services, req);
    const { uid } = proof;
    const jobId = await wantedJob(services, uid, context.query);
    const count = open.get(uid) ?? 0;
    if (count >= mostOfAccount || all >= mostInAll) {
      throw new HttpError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': '10' } });
    }
    open.set(uid, count + 1);
    all += 1;
    try {
      await stream(services, { req, res, proof }, new LiveReader(services, uid, jobId));
    } finally {
      all -= 1;
      const left = (open.get(uid) ?? 1) - 1;
      if (left === 0) open.delete(uid);
      else open.set(uid, left);
    }
  };
}

/** Who may read the events. @throws ConsoleError, JobError */
async function admit(services: JobServices, req: Request): Promise<Proof> {
  const proof = await prove(services, req);
  await requireAccess(services, proof, 'job');
  if (proof.kind === 'key')
    await noteUse(services, proof.key, { call: 'job/events', address: contextOf(req).address, status: 200 });
  return proof;
}

async function wantedJob({ database }: JobServices, uid: string, query: URLSearchParams) {
  const text = query.get('jobId');
  if (text === null || text === '') return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new HttpError('INVALID_FIELDS', { fields: { jobId: 'must be a whole number.' } });
  return (await jobOf(database, uid, Number(text))).id;
}

/** Writes until the client leaves, its proof ends, or the server stops. */
async function stream(
  services: JobServices,
  { req, res, proof }: { req: Request; res: Response; proof: Proof },
  reader: LiveReader,
): Promise<void> {
  const { jobs } = services;
  res.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const first = await reader.read();
  const ended = new AbortController();
  const end = () => ended.abort();
  res.once('close', end);
  jobs.stopping.signal.addEventListener('abort', end, { once: true });
  if (jobs.stopping.signal.aborted || req.destroyed) end();
  req.socket.setTimeout(silentMs);
  const alive = setInterval(() => res.write(': alive\n\n'), aliveEveryMs);
  try {
    write(res, first);
    while (!ended.signal.aborted && res.writableLength < mostBuffered) {
      await change(jobs.onWake, ended.signal);
      await delay(gatherMs, undefined, { signal: ended.signal }).catch(() => undefined); // the end is checked below
      if (ended.signal.aborted || !(await isStillProved(services, proof))) break;
      write(res, await reader.read());
    }
  } finally {
    clearInterval(alive);
    res.off('close', end);
    jobs.stopping.signal.removeEventListener('abort', end);
    res.end();
  }
}

function write(res: Response, events: readonly { kind: string }[]): void {
  for (const { kind, ...data } of events) res.write(`event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** Resolves when something may have changed: on a wake, or after a second, as other processes change it too. */
function change(onWake: (woken: () => void) => () => void, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      off();
      ended.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, lookEveryMs);
    const off = onWake(done);
    ended.addEventListener('abort', done, { once: true });
  });
}
