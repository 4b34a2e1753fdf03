import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { z } from 'zod';
import { beginSession } from '../../console/account/sessions.ts';
import { openSecretKey, type SecretKey } from '../../console/secret-key.ts';
import type { Database } from '../../storage/database.ts';
import { openPostgres } from '../../storage/postgres.ts';
import { openSqlite } from '../../storage/sqlite.ts';
import { type BackendProcess, startBackendProcess } from '../backend-process.ts';
import { LogCanaries } from '../log-canaries.ts';
import { patientStore } from '../patience.ts';
import { createDatabase, type PostgresServer, startPostgres } from '../postgres.ts';
import { removeDataDir } from '../remove-data-dir.ts';
import { storeAccount } from '../store-account.ts';

export const webhookSecret = 'whsec_of_the_kills';

/** A backend that is killed repeatedly, and what its clients need. */
export interface Scene {
  dataDir: string;
  /** The store, opened beside the server as operator commands do. */
  database: Database;
  secretKey: SecretKey;
  postgres: PostgresServer | undefined;
  backend: BackendProcess;
  /** Restarts it. @throws when a secret is in the previous log */
  restart(): Promise<void>;
  /** `data` or the refusal's code; undefined when no answer came, or one saying that the store is silent. */
  ask(path: string, body: object, token?: string): Promise<Answer | undefined>;
  /** A request's plain status; undefined without an answer. */
  send(path: string, text: string, headers: Record<string, string>): Promise<number | undefined>;
  newcomer(credits: number): Promise<{ uid: string; token: string; email: string }>;
  /** Addresses that messages were sent to. */
  written(): ReadonlySet<string>;
  close(): Promise<void>;
}

const envelope = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), data: z.unknown() }),
  z.object({ success: z.literal(false), code: z.string() }),
]);
export type Answer = z.infer<typeof envelope>;
const message = z.looseObject({ to: z.string() });

export async function openScene(kind: 'sqlite' | 'postgres'): Promise<Scene> {
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-kills-'));
  // A separate server, since it is killed as well.
  const postgres = kind === 'postgres' ? await startPostgres() : undefined;
  const databaseUrl = postgres && (await createDatabase(postgres.url));
  const env = {
    DATA_DIR: dataDir,
    ALLOW_PLAIN_PASSWORD: 'on',
    STRIPE_SECRET_KEY: 'sk_of_the_kills',
    // Nothing listens there.
    STRIPE_API_URL: 'http://127.0.0.1:9',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    LOG_LEVEL: 'trace',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const backend = await startBackendProcess(env);
  const log = pino({ level: 'silent' });
  const database =
    databaseUrl === undefined
      ? openSqlite(join(dataDir, 'console.sqlite'))
      : openPostgres(databaseUrl, log, patientStore);
  const read = new Set<string>();
  const addresses = new Set<string>();
  let canaries = new LogCanaries();
  let count = 0;

  /** What clients sent and received since the last start is in no log line. */
  function readLog(): void {
    const logged = canaries.in(scene.backend.log());
    if (logged.length > 0) throw new Error(`The log contains secrets: ${logged.join(', ')}.`);
    canaries = new LogCanaries();
  }

  async function request(path: string, text: string, headers: Record<string, string>): Promise<Response | undefined> {
    try {
      return await fetch(scene.backend.url + path, {
        method: 'POST',
        body: text,
        headers: { 'Content-Type': 'application/json', ...headers },
      });
    } catch {
      // The backend was killed.
      return undefined;
    }
  }

  const scene: Scene = {
    dataDir,
    database,
    secretKey: openSecretKey(undefined, dataDir, true),
    postgres,
    backend,
    async restart() {
      readLog();
      scene.backend = await startBackendProcess(env);
    },
    async ask(path, body, token) {
      canaries.noteAsked(body);
      canaries.note('token', token);
      const answer = await request(path, JSON.stringify(body), token ? { Authorization: `Bearer ${token}` } : {});
      const text = await answer?.text().catch(() => undefined);
      if (answer === undefined || text === undefined || answer.status >= 500) return undefined;
      canaries.noteAnswered(JSON.parse(text));
      return envelope.parse(JSON.parse(text));
    },
    async send(path, text, headers) {
      const status = (await request(path, text, headers))?.status;
      return status === undefined || status >= 500 ? undefined : status;
    },
    async newcomer(credits) {
      count += 1;
      const email = `person-${count}@site.example`;
      const uid = await storeAccount(database, email, { credits });
      const { token } = await beginSession(database, { uid, browser: '', now: Date.now() });
      return { uid, token, email };
    },
    written() {
      const folder = join(dataDir, 'outbox');
      for (const name of readdirSync(folder).filter((file) => file.endsWith('.json') && !read.has(file))) {
        addresses.add(message.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))).to);
        read.add(name);
      }
      return addresses;
    },
    async close() {
      await scene.backend.kill();
      await database.close();
      await postgres?.stop();
      await removeDataDir(dataDir);
      readLog();
    },
  };
  return scene;
}
