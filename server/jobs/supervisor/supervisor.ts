import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { JobSpec } from '../../engine/job.ts';
import type { Held } from '../../storage/database.ts';
import { StoreUserFault } from '../../storage/store-user-fault.ts';
import { addEvent } from '../events.ts';
import { findJob, type JobRow, move } from '../jobs.ts';
import { nextOfPool, sharesPlaces, waitSentence } from '../pool.ts';
import { removeForgottenFiles } from '../practice/files.ts';
import { startWriter } from '../practice/start-writer.ts';
import { readableJobs } from '../readable-jobs.ts';
import { removalOf } from '../remove-job.ts';
import type { JobServices } from '../services.ts';
import { memoryOf } from '../sizes.ts';
import { specOf } from '../spec.ts';
import { supervisorLock } from '../supervisor-lock.ts';
import { retriesOf, retryOf, type TableCommand } from '../table-commands.ts';
import { workersTaking } from '../workers.ts';
import { BeginningJobs } from './beginning-jobs.ts';
import { type Child, type ChildEnd, startChild } from './child.ts';
import { deleteJob, releaseJob } from './delete-job.ts';
import { makeJob } from './make-job.ts';
import {
  faultOf,
  isPassing,
  longestRetryMs,
  postpone,
  recordCompletion,
  recordFault,
  recordStop,
  retryDelayMs,
} from './outcome.ts';
import { type CommandTaker, passCommands } from './pass-commands.ts';
import { Reports } from './reports.ts';
import { noteWorker } from './worker.ts';

/** Jobs that need an action. */
const isAsked = "status IN ('WAIT_START', 'WAIT_RESTART', 'WAIT_STOP', 'DELETE') OR deletes_when_stopped = 1";
const lookEveryMs = 1_000;
const noteEveryMs = 10_000;
/** Jobs that one check begins to create. */
const mostMadeAtOnce = 20;
/** For a child to stop at a commit; the whole server has 9 s. */
const graceMs = 6_000;
/** A child that ran this long was healthy: its next fault counts as the first. */
const wellAfterMs = 60_000;

interface Running extends CommandTaker {
  job: JobRow;
  child: Child;
  /** Resolves when its end has been recorded. */
  noted: Promise<void>;
}

/** Runs the stored jobs in child processes; of several server processes, only the one with the lock does so. */
export class Supervisor {
  readonly #services: JobServices;
  readonly #worker: string;
  readonly #reports: Reports;
  readonly #fault: StoreUserFault;
  readonly #running = new Map<number, Running>();
  /** Jobs that are being created, deleted or prepared for a start. */
  readonly #busy = new Map<number, Promise<void>>();
  /** Jobs that end on their own and run, or are being prepared for it. */
  readonly #places = new Map<number, JobRow>();
  readonly #beginning: BeginningJobs;
  /** Jobs that were told they are waiting for a free place. */
  readonly #told = new Set<number>();
  readonly #offWake: () => void;
  readonly #asked = Promise.withResolvers<void>();
  #held: Held | undefined;
  #stopping = false;
  #takesJobs = true;
  /** This worker takes no jobs, and another one does. */
  #isRelieved = false;
  #notedAt = -noteEveryMs;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #again = false;

  /**
   * @param beginsMs how long jobs wait for one that is starting
   * @param worker name by which this process is known as a worker
   */
  constructor(services: JobServices, beginsMs = 10_000, worker = hostname()) {
    this.#services = services;
    this.#worker = worker;
    this.#beginning = new BeginningJobs(beginsMs, () => this.look());
    this.#reports = new Reports(services);
    this.#fault = new StoreUserFault(services.log, {
      lasts: 'the jobs could not be looked up',
      over: 'the jobs are looked up again',
    });
    this.#offWake = services.jobs.onWake(() => this.look());
    this.look();
  }

  /** Resolves once the lock was requested: no job that ended with an earlier process still counts as running then. */
  get ready(): Promise<void> {
    return this.#asked.promise;
  }

  /** Checks the store soon; if called during a check, it checks once more. */
  look(): void {
    if (this.#stopping) return;
    this.#again = true;
    this.#looking ??= this.#lookWhileAsked().finally(() => {
      this.#looking = undefined;
      if (!this.#stopping) this.#timer = setTimeout(() => this.look(), lookEveryMs);
    });
  }

  /** Stops every child at a commit; running jobs are restarted by the next server. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#offWake();
    clearTimeout(this.#timer);
    await this.#looking;
    for (const { child } of this.#running.values()) child.stop(graceMs);
    await Promise.all(this.#busy.values());
    // Those that were being started meanwhile.
    for (const { child } of this.#running.values()) child.stop(graceMs);
    await Promise.all([...this.#running.values()].map(({ noted }) => noted));
    await this.#reports.flush();
    await this.#held?.release();
  }

  async #lookWhileAsked(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#again && !this.#stopping) {
      this.#again = false;
      const begunAt = performance.now();
      try {
        await (this.#isRelieved ? this.#leave() : this.#askForLock()).finally(this.#asked.resolve);
        await this.#noteWorker();
        // A process that stood still only learns now that it has lost the lock.
        if (this.#held && !this.#isRelieved) await this.#lookOnce();
        this.#fault.succeeded();
      } catch (error) {
        this.#fault.failed(error);
      }
      // Each check reads every waiting job: with hundreds of them, three quarters of the time are left for requests.
      const pauseMs = Math.min(3 * (performance.now() - begunAt), lookEveryMs);
      await delay(pauseMs, undefined, { signal: this.#services.jobs.stopping.signal }).catch(() => undefined); // a stop ends it
    }
  }

  async #askForLock(): Promise<void> {
    if (this.#held) return;
    const held = await this.#services.database.hold(supervisorLock);
    if (!held) return;
    held.lost.addEventListener('abort', () => this.#loseLock(), { once: true });
    try {
      await this.#takeOver();
      await removeForgottenFiles(this.#services);
    } catch (error) {
      // Taken over completely or not at all: the next check tries again.
      await held.release();
      throw error;
    }
    if (!held.lost.aborted) this.#held = held;
  }

  /** Leaves the jobs to another worker, which waits for the lock; what was begun here before ends first. */
  async #leave(): Promise<void> {
    for (const { child } of this.#running.values()) child.stop(graceMs);
    if (!this.#held || this.#running.size > 0 || this.#busy.size > 0) return;
    await this.#reports.flush();
    const held = this.#held;
    this.#held = undefined;
    // Whatever the store did not accept would come after the other worker's reports.
    this.#reports.forget();
    await held?.release();
  }

  /** Another process may run the jobs from now on: ours stop at once, and their reports are not stored. */
  #loseLock(): void {
    this.#held = undefined;
    this.#services.log.warn('the supervisor lost its lock: all jobs of this process stop');
    this.#reports.forget();
    for (const { child } of this.#running.values()) child.stop(0);
  }

  /** Jobs that ran under another process run no more, nor does a job whose end could not be stored. */
  async #takeOver(): Promise<void> {
    const { database } = this.#services;
    // Read first: the end of a job that ends meanwhile is recorded by its own handler.
    const own = new Set([...this.#running.keys(), ...this.#busy.keys()]);
    for (const job of await readableJobs(this.#services, "status = 'RUNNING'")) {
      if (!own.has(job.id)) await move(database, job.id, 'lost', { nextTryAt: null });
    }
  }

  /** At intervals: a process waiting to take over is a worker too, and jobs that run nowhere are taken over. */
  async #noteWorker(): Promise<void> {
    if (performance.now() - this.#notedAt < noteEveryMs) return;
    await noteWorker(this.#services, this.#worker);
    const takers = await workersTaking(this.#services, this.#worker);
    this.#takesJobs = takers.includes(this.#worker);
    this.#isRelieved = !this.#takesJobs && takers.length > 0;
    if (this.#held) await this.#takeOver();
    this.#notedAt = performance.now();
  }

  async #lookOnce(): Promise<void> {
    await this.#makeJobs();
    const jobs = await readableJobs(this.#services, isAsked);
    const next = await this.#givePlaces(jobs);
    for (const job of jobs) await this.#attend(job, next);
    await passCommands(this.#services, this.#running);
  }

  /** @returns jobs that have a place, or need none */
  async #givePlaces(jobs: readonly JobRow[]): Promise<ReadonlySet<number>> {
    const { database, now } = this.#services;
    const begins = jobs.filter(
      (job) => job.status.startsWith('WAIT_') && job.status !== 'WAIT_STOP' && this.#untilTry(job) <= 0,
    );
    const waiting = begins.filter((job) => sharesPlaces(job) && !this.#places.has(job.id));
    const next = nextOfPool(this.#services, [...this.#places.values()], waiting);
    const able = new Set(next.map(({ id }) => id));
    for (const id of this.#told) if (!waiting.some((job) => job.id === id)) this.#told.delete(id);
    for (const { id } of waiting) {
      if (able.has(id) || this.#told.has(id)) continue;
      this.#told.add(id);
      await addEvent(database, id, { at: now(), level: 'info', table: null, sentence: waitSentence(this.#services) });
      this.#services.jobs.wake();
    }
    return new Set([...begins.filter((job) => !sharesPlaces(job)), ...next].map(({ id }) => id));
  }

  async #attend(job: JobRow, next: ReadonlySet<number>): Promise<void> {
    const running = this.#running.get(job.id);
    if (running) return await this.#stopAsked(running);
    if (this.#busy.has(job.id)) return;
    if (job.status === 'WAIT_STOP') {
      await recordStop(this.#services, job);
      return;
    }
    if (job.deletes_when_stopped && job.status !== 'DELETE') {
      const { database } = this.#services;
      // It may have been started since its deletion was requested: it is stopped once more.
      if (!(await move(database, job.id, 'delete'))) await move(database, job.id, 'stop', { nextTryAt: null });
      this.look();
      return;
    }
    const left = this.#untilTry(job);
    if (left > 0) {
      // The next check may come too late.
      if (left < lookEveryMs) setTimeout(() => this.look(), left).unref();
      return;
    }
    if (job.status === 'DELETE') this.#work(job.id, () => this.#delete(job));
    else if (this.#takesJobs && next.has(job.id) && !this.#beginning.isFull) {
      if (sharesPlaces(job)) this.#places.set(job.id, job);
      this.#beginning.add(job.id);
      this.#work(job.id, () => this.#begin(job));
    }
  }

  /** Milliseconds until a job may be tried again; 0 or less: now. */
  #untilTry({ next_try_at: at }: JobRow): number {
    const left = (at ?? 0) - this.#services.now();
    // No wait is this long: the clock was set back since, and the job would wait for it to catch up.
    return left > longestRetryMs ? 0 : left;
  }

  /** Stops a job that must be stopped or restarted; one that began after the list was read has no pending request. */
  async #stopAsked({ job, child }: Running): Promise<void> {
    const asked = await readableJobs(this.#services, `id = $1 AND (${isAsked})`, [job.id]);
    if (asked.length > 0) child.stop(graceMs);
  }

  /** Work on a job that other jobs do not wait for. */
  #work(id: number, work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => this.#services.log.error({ err: error, job: id }, 'work on a job failed'))
      .finally(() => {
        this.#busy.delete(id);
        if (!this.#running.has(id)) {
          this.#places.delete(id);
          this.#beginning.remove(id);
        }
        this.look();
      });
    this.#busy.set(id, done);
  }

  /** Forgets what a job did, also at its source and target. @returns the job as it begins; undefined without the lock */
  async #startAnew(job: JobRow): Promise<JobRow | undefined> {
    const { database } = this.#services;
    await releaseJob(this.#services, job, 'replaying');
    if (!this.#held) return undefined;
    // A replay finds rows of the run before in each of its tables.
    const tables = job.tables?.map(({ isLater, ...table }) => table) ?? null;
    await database.transaction(async (queries) => {
      await queries.run(
        `UPDATE data_job SET starts_anew = 0, replayed = 1, has_checkpoint = 0, sample = NULL, tables = $2,
           revision = revision + 1
         WHERE id = $1`,
        [job.id, tables && JSON.stringify(tables)],
      );
      await queries.run('DELETE FROM job_table WHERE job_id = $1', [job.id]);
    });
    this.#services.jobs.wake();
    return { ...job, tables, replayed: true, has_checkpoint: false };
  }

  /** What a job's process needs; undefined if this server may not start it any more. */
  async #specOf(job: JobRow): Promise<JobSpec | undefined> {
    const begun = job.starts_anew ? await this.#startAnew(job) : job;
    const spec = begun && (await specOf(this.#services, begun));
    return this.#stopping || !this.#held ? undefined : spec;
  }

  async #begin(job: JobRow): Promise<void> {
    const { database, jobs, log } = this.#services;
    try {
      const spec = await this.#specOf(job);
      if (!spec) return;
      const retries = job.phase === 'COMPLETE' ? await retriesOf(this.#services, job.id) : undefined;
      const child = await startChild({
        script: jobs.childScript,
        env: jobs.childEnv,
        spec,
        retries: retries?.map(retryOf),
        memoryMb: memoryOf(job.request.wanted.specId),
        log,
        onReport: (report) => {
          this.#beginning.remove(job.id);
          if (this.#held) this.#reports.add(job, report);
        },
      });
      // Only a job that has a process is running. A user may have stopped or deleted it meanwhile.
      const forked = () =>
        move(database, job.id, 'forked', { nextTryAt: null }).catch(async (error: unknown) => {
          // The store fails: the process would never get its job.
          await child.kill();
          throw error;
        });
      const isWanted = !this.#stopping && this.#held && (await forked());
      // The lock may have been lost meanwhile: whoever has it now takes the job over.
      if (isWanted && this.#held) this.#attendChild(job, child, retries);
      else await child.kill();
    } catch (error) {
      // Cut off by the end of this server, or of its lock: the next server starts it.
      if (this.#stopping || !this.#held) return;
      if (isPassing(error)) await postpone(this.#services, job);
      else await recordFault(this.#services, job, faultOf(error, job, 'started', log), job.failures + 1);
    }
  }

  #attendChild(job: JobRow, child: Child, retries: readonly TableCommand[] | undefined): void {
    const { log } = this.#services;
    const held = this.#held;
    const endWriter = job.practice ? startWriter(this.#services, job.name) : undefined;
    const noted = child.end
      .then(async (end) => {
        endWriter?.();
        // It was ended because the lock was lost, which is no fault of the job; this server may have the lock again.
        const isCutOff = end.kind === 'failed' && this.#held !== held;
        await this.#noteEnd(job, child, isCutOff ? { kind: 'ended', complete: false } : end, retries);
      })
      .catch((error: unknown) => log.error({ err: error, job: job.id }, 'the end of a job could not be stored'))
      .finally(() => {
        this.#running.delete(job.id);
        this.#places.delete(job.id);
        this.#beginning.remove(job.id);
        this.look();
      });
    this.#running.set(job.id, { job, child, retries, sent: new Set(), noted });
    child.begin();
  }

  async #noteEnd(
    job: JobRow,
    child: Child,
    end: ChildEnd,
    retries: readonly TableCommand[] | undefined,
  ): Promise<void> {
    if (!this.#held) return;
    await this.#reports.flush();
    const now = await findJob(this.#services.database, job.id);
    // A process that stood still only learns now that it has lost the lock.
    if (!now || !this.#held) return;
    if (end.kind === 'ended' && end.complete) {
      await recordCompletion(this.#services, job, retries);
      return;
    }
    if (now.status === 'WAIT_STOP') {
      await recordStop(this.#services, job);
      return;
    }
    // A restart was requested, or the server is stopping: the next check, or the next server, starts it.
    if (now.status === 'WAIT_RESTART') return;
    if (end.kind === 'ended') {
      await move(this.#services.database, job.id, 'lost', { nextTryAt: null });
      return;
    }
    const wasWell = performance.now() - child.startedAt >= wellAfterMs;
    await recordFault(this.#services, job, end.fault, wasWell ? 1 : now.failures + 1);
  }

  /** A job whose source cannot be reached stays DELETING and is retried. */
  async #delete(job: JobRow): Promise<void> {
    const { database, log, now } = this.#services;
    try {
      await deleteJob(this.#services, job);
    } catch (error) {
      if (this.#stopping || !this.#held) return;
      if (isPassing(error)) return await postpone(this.#services, job);
      const told = faultOf(error, job, 'deleted', log);
      const byHand = await removalOf(this.#services, job);
      const hint = `${told.hint} The job stays until then. If that side is gone for good, delete the job anyway; what it keeps there can be removed by hand. ${byHand}`;
      const fault = { ...told, hint, retry: 'timed', at: now() } as const;
      const failures = job.failures + 1;
      await database.run(
        `UPDATE data_job SET fault = $1, failures = $2, next_try_at = $3, revision = revision + 1 WHERE id = $4`,
        [JSON.stringify(fault), failures, now() + retryDelayMs(failures), job.id],
      );
      const sentence = `What the job keeps could not be removed: ${fault.sentence} Remove it by hand: ${byHand}`;
      // Further tries that end the same way only update the fault.
      if (job.fault?.sentence !== fault.sentence)
        await addEvent(database, job.id, { at: now(), level: 'error', table: null, sentence });
    }
    this.#services.jobs.wake();
  }

  async #makeJobs(): Promise<void> {
    const wanted = await this.#services.database.all(
      consoleJobRow,
      "SELECT id, job_id FROM console_job WHERE state IN ('WAIT_START', 'EXECUTE') ORDER BY id",
    );
    // Those that wait for an answer about their source hold none of the others back.
    const next = wanted.filter(({ job_id }) => !this.#busy.has(job_id)).slice(0, mostMadeAtOnce);
    const maker = { worker: this.#worker, mayGoOn: () => this.#held !== undefined };
    for (const { id, job_id } of next) this.#work(job_id, () => makeJob(this.#services, id, job_id, maker));
  }
}

const consoleJobRow = z.object({ id: z.number(), job_id: z.number() });
