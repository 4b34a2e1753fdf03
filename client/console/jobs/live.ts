import { useQueryClient } from '@tanstack/react-query';
import { createParser } from 'eventsource-parser';
import { useEffect, useState } from 'react';
import { goToLogin } from '../../account/return-to.ts';
import { isRecord, parseJson } from '../../browser/json.ts';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { Job, JobDetail, JobSample } from '../../contract/jobs/jobs.ts';
import type { LiveEvent } from '../../contract/jobs/live-events.ts';
import { readToken } from '../../stores/user.ts';
import { liveAnswer } from './live-answer.ts';
import { samplesAfter } from './samples.ts';
import { tablesAfter } from './tables-after.ts';

/** Delays before reconnecting, in milliseconds. */
const waits = [1_000, 2_000, 5_000, 10_000];
/** Longest silence of a connection, in milliseconds; the server writes every ten seconds. */
const silentMs = 30_000;
/** A browser has six connections to a server: a page that was hidden for this long gives its own back. */
const hiddenMs = 5_000;
/** Keeps a page that stays open from growing. */
const mostEvents = 200;

/** Takes what came at once, which may be no event. */
type Take = (events: readonly LiveEvent[]) => void;

const kinds = ['jobs', 'job', 'deleted', 'sample', 'tables', 'event'];

/**
 * Listens to live events of one job, or of all the account's jobs, and keeps the cached `list` and the `detail` of the
 * last hour current.
 * @returns whether it is connected at this moment
 */
export function useLive(jobId?: number): boolean {
  const queries = useQueryClient();
  const [heard, setHeard] = useState(false);

  useEffect(() => {
    const ended = new AbortController();
    const list = liveAnswer<Job[]>(queries, [jobCalls.listJobs, {}]);
    const detailKey = [jobCalls.jobDetail, { jobId, span: 'HOUR' }];
    const detail = liveAnswer<JobDetail>(queries, detailKey, ({ job }) => job.version);
    const take: Take = (events) => {
      for (const event of events) {
        list.change((jobs) => jobsAfter(jobs, event, jobId === undefined));
        detail.change((known) => known && detailAfter(known, event));
        // A new connection starts with the job alone: what else changed before it is in no event.
        if (event.kind === 'jobs') detail.renewUntil(event.jobs[0]?.version ?? 0);
        if (event.kind === 'deleted') detail.renew();
      }
      // A call that failed is repeated.
      detail.renewIfOlder();
    };
    void listen(jobId, ended.signal, take, setHeard);
    return () => {
      ended.abort();
      list.end();
      detail.end();
    };
  }, [queries, jobId]);
  return heard;
}

async function listen(
  jobId: number | undefined,
  signal: AbortSignal,
  take: Take,
  onHeard: (heard: boolean) => void,
): Promise<void> {
  for (let tries = 0; !signal.aborted; tries++) {
    await untilShown(signal);
    const attempt = new AbortController();
    const off = endWith(attempt, signal);
    try {
      const refused = await hear(jobId, attempt, take, () => {
        tries = 0;
        onHeard(true);
      });
      // The call for the list or the job says why.
      if (refused) return;
    } catch {
      // The page says that it is not live; all that is left is to try again.
    } finally {
      off();
    }
    if (signal.aborted) return;
    onHeard(false);
    if (document.hidden) continue;
    await pause(waits[Math.min(tries, waits.length - 1)] ?? 0, signal);
  }
}

/** Resolves after some milliseconds, or as soon as the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}

/** Resolves once the page is visible, or the signal aborts. */
function untilShown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}

/** Ends an attempt with the page, or when the page has been hidden for a while. @returns removes the listeners */
function endWith(attempt: AbortController, signal: AbortSignal): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => attempt.abort();
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(end, hiddenMs);
  };
  document.addEventListener('visibilitychange', look);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
    signal.removeEventListener('abort', end);
  };
}

/** Ends when the server closes it or falls silent. EventSource cannot send the token. @returns whether it was refused */
async function hear(
  jobId: number | undefined,
  attempt: AbortController,
  take: Take,
  onOpen: () => void,
): Promise<boolean> {
  let silence: ReturnType<typeof setTimeout> | undefined;
  const noteLife = () => {
    clearTimeout(silence);
    silence = setTimeout(() => attempt.abort(), silentMs);
  };
  noteLife();
  try {
    return await read(jobId, attempt.signal, take, { onOpen, noteLife });
  } finally {
    clearTimeout(silence);
  }
}

/** @returns whether the server refused to send events */
async function read(
  jobId: number | undefined,
  signal: AbortSignal,
  take: Take,
  { onOpen, noteLife }: { onOpen: () => void; noteLife: () => void },
): Promise<boolean> {
  const query = jobId === undefined ? '' : `?jobId=${jobId}`;
  const token = readToken();
  const response = await fetch(`${jobCalls.jobEvents}${query}`, {
    headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token ?? ''}` },
    signal,
  });
  if (response.status === 401 && readToken() === token) goToLogin();
  if (!response.ok || !response.body) throw new Error(`Live events answered ${response.status}`);
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body.cancel();
    return true;
  }
  onOpen();
  let events: LiveEvent[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      const told = parseJson(data);
      if (event && kinds.includes(event) && isRecord(told)) events.push({ kind: event, ...told } as LiveEvent);
    },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    noteLife();
    parser.feed(part.value);
    take(events);
    events = [];
  }
  return false;
}

function jobsAfter(jobs: Job[] | undefined, event: LiveEvent, isAll: boolean): Job[] | undefined {
  if (event.kind === 'jobs' && isAll) return event.jobs;
  if (!jobs) return jobs;
  if (event.kind === 'deleted') return jobs.filter(({ dataJobId }) => dataJobId !== event.dataJobId);
  if (event.kind === 'sample')
    return jobs.map((job) => (job.dataJobId === event.dataJobId ? jobAfter(job, event.sample) : job));
  if (event.kind !== 'job') return jobs;
  const isKnown = jobs.some(({ dataJobId }) => dataJobId === event.job.dataJobId);
  if (!isKnown) return [event.job, ...jobs];
  return jobs.map((job) => (job.dataJobId === event.job.dataJobId ? event.job : job));
}

const minuteOf = (at: number) => Math.floor((at - 1) / 60_000);

/** The job with a newer lag, which also becomes the last value of its last hour; nothing is counted twice. */
function jobAfter(job: Job, { at, lagMs }: JobSample): Job {
  if (job.seenAt !== null && at < job.seenAt) return job;
  const minutes = Math.min(60, Math.max(0, minuteOf(at) - minuteOf(job.seenAt ?? at)));
  const hour = [...job.lagByMinute, ...Array.from({ length: minutes }, () => null)].slice(-60);
  const last = hour.at(-1) ?? null;
  if (lagMs !== null) hour.splice(-1, 1, Math.max(last ?? 0, lagMs));
  return { ...job, lagMs, seenAt: at, lagByMinute: hour };
}

function detailAfter(detail: JobDetail, event: LiveEvent): JobDetail {
  switch (event.kind) {
    case 'jobs':
      return { ...detail, job: event.jobs[0] ?? detail.job };
    case 'job':
      return { ...detail, job: event.job };
    case 'sample':
      return {
        ...detail,
        job: jobAfter(detail.job, event.sample),
        samples: samplesAfter(detail.samples, event.sample),
      };
    case 'event': {
      // A call may have brought it already.
      if (detail.events.some(({ id }) => id === event.event.id)) return detail;
      return { ...detail, events: [event.event, ...detail.events].slice(0, mostEvents) };
    }
    case 'tables':
      return { ...detail, tables: tablesAfter(detail.tables, event.tables) };
    default:
      return detail;
  }
}
