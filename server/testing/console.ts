import { mkdtempSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import request from 'supertest';
import { z } from 'zod';
import { createBackend } from '../backend/app.ts';
import { openServices } from '../backend/open-services.ts';
import { readConsoleConfig } from '../config/console.ts';
import { messageSchema, readQueued } from '../console/messages/send-queued-message.ts';
import type { JobServices } from '../jobs/services.ts';
import type { Message } from '../senders/message.ts';
import { migrate } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { openSqlite } from '../storage/sqlite.ts';
import { requireDocumented } from './documented-answers.ts';
import { LogCanaries } from './log-canaries.ts';
import { patientStore } from './patience.ts';
import { removeDataDir } from './remove-data-dir.ts';

/** A console backend on its own store, with a clock that tests control and a readable log. */
export interface TestConsole {
  listener: RequestListener;
  services: JobServices;
  logged: Record<string, unknown>[];
  /** Advances the clock. */
  pass(milliseconds: number): void;
  /** A call as the site's proxy sends it. */
  post(path: string, body?: object, options?: { token?: string; address?: string }): request.Test;
  /** Messages that were sent by a task. */
  sent: Message[];
  /** Messages that are waiting to be sent, oldest first. */
  queued(): Promise<Message[]>;
  /** Stops it. @throws when a secret that a test sent or received is in the log */
  close(): Promise<void>;
}

/** @param databaseUrl an empty PostgreSQL database; without one the store is SQLite */
export async function openTestConsole(
  env: Record<string, string> = {},
  databaseUrl?: string,
  changes: Partial<JobServices> = {},
): Promise<TestConsole> {
  const logged: Record<string, unknown>[] = [];
  const canaries = new LogCanaries();
  const log = pino({ base: null, level: 'trace' }, { write: (text: string) => logged.push(JSON.parse(text)) });
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-console-'));
  const config = readConsoleConfig({ DATA_DIR: dataDir, ...env });
  const database =
    databaseUrl === undefined
      ? openSqlite(join(dataDir, 'console.sqlite'))
      : openPostgres(databaseUrl, log, patientStore);
  await migrate(database, join(import.meta.dirname, '../console/migrations'));
  const sent: Message[] = [];
  let time = Date.UTC(2026, 10, 21, 12);
  const now = () => time;
  const opened = await openServices(config, log, database, now);
  const services: JobServices = {
    ...opened.services,
    builtDownloads: join(dataDir, 'built'),
    send: async (message) => {
      canaries.noteAsked(message);
      sent.push(message);
    },
    ...changes,
  };
  const listener = createBackend(services);
  const server = http.createServer(listener);
  return {
    listener,
    services,
    logged,
    sent,
    pass: (milliseconds) => {
      time += milliseconds;
    },
    post(path, body, { token, address = '192.0.2.1' } = {}) {
      const call = request(server).post(path).set('X-Forwarded-For', address);
      if (token !== undefined) call.set('Authorization', `Bearer ${token}`);
      for (const [name, value] of Object.entries({ token, address })) canaries.note(name, value);
      canaries.noteAsked(body);
      call.on('response', (response: request.Response) => canaries.noteAnswered(response.body));
      call.expect(({ status, body }) => requireDocumented(path, status, body));
      return body === undefined ? call : call.send(body);
    },
    async queued() {
      const rows = await database.all(
        z.object({ task_key: z.string(), payload: z.string() }),
        "SELECT task_key, payload FROM task WHERE kind = 'send-message' ORDER BY due_at, id",
      );
      return rows.map(({ task_key, payload }) =>
        messageSchema.parse(readQueued(services.secretKey, task_key, payload)),
      );
    },
    async close() {
      server.close();
      await opened.close();
      await removeDataDir(dataDir);
      const logs = canaries.in(JSON.stringify(logged));
      if (logs.length > 0) throw new Error(`The log contains secrets: ${logs.join(', ')}.`);
    },
  };
}
