import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pino from 'pino';
import { z } from 'zod';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { beginSession } from '../../console/account/sessions.ts';
import { openPostgres } from '../../storage/postgres.ts';
import { type BackendProcess, startBackendProcess } from '../backend-process.ts';
import { newJob } from '../job-fixtures.ts';
import { patientStore } from '../patience.ts';
import { createDatabase, isRunning } from '../postgres.ts';
import { removeDataDir } from '../remove-data-dir.ts';
import { storeAccount } from '../store-account.ts';
import type { Pair } from './pair.ts';
import { count, type Runner } from './runner.ts';
import { tables } from './users.ts';

const idText = z.string().regex(/^\d+$/).transform(Number);
const envelope = z.looseObject({ success: z.boolean(), code: z.string().optional(), data: z.unknown().optional() });

/**
 * Bytes of text that exceed a slice of a job with default settings; users give its rows other titles and other keys.
 */
const largeTransaction = `
  DELETE FROM document WHERE id LIKE 'large %' OR title = 'large';
  INSERT INTO document SELECT 'large ' || i, repeat(md5(i::text), 320), '{}', 'large' FROM generate_series(1, 3600) i`;

/**
 * A job under two web processes on one store: one has the lock and runs it, the other waits until that one is killed.
 */
export class KeptService implements Runner {
  readonly largeTransaction = largeTransaction;
  readonly ends = new Map<string, number>();
  readonly #pair: Pair;
  readonly #env: Record<string, string>;
  readonly #token: string;
  /** Both, or their start. */
  #processes: Promise<BackendProcess>[];
  #jobId = 0;

  private constructor(pair: Pair, env: Record<string, string>, token: string, first: BackendProcess) {
    this.#pair = pair;
    this.#env = env;
    this.#token = token;
    this.#processes = [Promise.resolve(first), startBackendProcess(env)];
  }

  /** @param storeServer where the store's database is created */
  static async open(pair: Pair, storeServer: string): Promise<KeptService> {
    const databaseUrl = await createDatabase(storeServer);
    const env = {
      DATA_DIR: await mkdtemp(join(tmpdir(), 'millrace-rig-')),
      DATABASE_URL: databaseUrl,
    };
    // The first one creates the store's tables.
    const first = await startBackendProcess(env);
    return new KeptService(pair, env, await signInAsOwner(databaseUrl), first);
  }

  async start(): Promise<void> {
    const [source, target] = this.#pair.settings;
    const [from, to] = [await this.#addSource(source), await this.#addSource(target)];
    const selected = { schema: 'public', tables: tables.map((table) => ({ table })) };
    const request = newJob(from, to, '', {
      srcSchema: JSON.stringify([{ db: source?.database, schemas: [selected] }]),
      dstSchema: JSON.stringify([{ db: target?.database }]),
    });
    this.#jobId = idText.parse(await this.#call(jobCalls.createJob, request));
  }

  /** Its supervisor waits longer after each end. */
  struck(): void {}

  killJob(): Promise<void> {
    throw new Error('This job is struck by killing its web process.');
  }

  async killService(): Promise<void> {
    const processes = await Promise.all(this.#processes);
    const holder = processes.find(({ pid }) => childrenOf(pid).length > 0);
    if (!holder) throw new Error('No web process has the job process.');
    const children = childrenOf(holder.pid);
    await holder.kill();
    while (children.some(isRunning)) await wait(10);
    count(this.ends, 'ended with its web process');
    const others = processes.filter((one) => one !== holder);
    this.#processes = [...others.map((one) => Promise.resolve(one)), startBackendProcess(this.#env)];
  }

  holdBack(): void {}

  goOn(): void {}

  /** A process's reports are stored once a second: a table may be live before the service knows it. */
  async resync(table: string): Promise<void> {
    const ask = () => this.#answer(jobCalls.resyncTable, { jobId: this.#jobId, table });
    for (let answer = await ask(); !answer.success; answer = await ask()) {
      if (answer.code !== 'NO_TABLE') throw new Error(`A resync was refused: ${answer.code}.`);
      await this.#pair.whileGoing(this.#pair.network.nextCommit());
    }
  }

  async said(): Promise<string> {
    const job = await this.#answer(jobCalls.queryJob, { jobId: this.#jobId });
    return [JSON.stringify(job), ...(await Promise.all(this.#processes)).map((one) => one.log().slice(-2_000))].join(
      '\n',
    );
  }

  async close(): Promise<void> {
    for (const one of await Promise.all(this.#processes)) await one.kill();
    await removeDataDir(this.#env.DATA_DIR ?? '');
  }

  async #addSource(settings: object | undefined): Promise<number> {
    return idText.parse(
      await this.#call(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'rig', settings }),
    );
  }

  async #call(path: string, body: object): Promise<unknown> {
    const answer = await this.#answer(path, body);
    if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  }

  async #answer(path: string, body: object): Promise<z.infer<typeof envelope>> {
    const [one] = this.#processes;
    const answer = await fetch((await one)?.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${this.#token}` },
      body: JSON.stringify(body),
    });
    return envelope.parse(await answer.json());
  }
}

/** An installation's first account may have jobs. @returns its session */
async function signInAsOwner(databaseUrl: string): Promise<string> {
  const database = openPostgres(databaseUrl, pino({ level: 'silent' }), patientStore);
  const now = Date.now();
  const uid = await storeAccount(database, 'owner@site.example', { now });
  const { token } = await beginSession(database, { uid, browser: '', now });
  await database.close();
  return token;
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
