import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { makeFolder } from '../../make-folder.ts';
import type { JobServices } from '../services.ts';

export const practiceTables = ['customers', 'products', 'orders'] as const;
const pairRow = z.object({ name: z.string() });
const customers = 200;
const products = 50;
const orders = 2_000;

const structure = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
  CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price_cents INTEGER NOT NULL);
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL,
    product_id INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    state TEXT NOT NULL,
    changed_at TEXT NOT NULL
  );`;
const cities = ['Oslo', 'Lisbon', 'Kyoto', 'Quito', 'Tunis', 'Perth'];
const goods = ['kettle', 'lamp', 'chair', 'clock', 'basket', 'ladder', 'teapot', 'blanket'];

/** Folder of one practice pair. */
function folderOf({ jobs }: JobServices, jobName: string): string {
  return join(jobs.filesDir, 'practice', jobName);
}

/** File of one side, as the data source names it: below the folder of all practice pairs. */
export function practiceFile(jobName: string, side: 'source' | 'target'): string {
  return `${jobName}/${side}.sqlite`;
}

export function practiceSource(services: JobServices, jobName: string): string {
  return join(folderOf(services, jobName), 'source.sqlite');
}

/** Recreates both files: the source with rows, the target empty. */
export function makePracticeFiles(services: JobServices, jobName: string): void {
  removePracticeFiles(services, jobName);
  makeFolder(folderOf(services, jobName));
  const target = new DatabaseSync(join(folderOf(services, jobName), 'target.sqlite'));
  target.exec('PRAGMA journal_mode=WAL');
  target.close();
  const source = new DatabaseSync(practiceSource(services, jobName));
  try {
    source.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; BEGIN; ${structure}`);
    fill(source, 'INSERT INTO customers VALUES (?, ?, ?)', customers, (id) => [`Customer ${id}`, at(cities, id)]);
    fill(source, 'INSERT INTO products VALUES (?, ?, ?)', products, (id) => [`${at(goods, id)} ${id}`, 100 + id * 35]);
    fill(source, 'INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?)', orders, (id) => [
      (id % customers) + 1,
      (id % products) + 1,
      (id % 5) + 1,
      'shipped',
      '2026-01-01 00:00:00',
    ]);
    source.exec('COMMIT');
  } finally {
    source.close();
  }
}

/** Removes all files of a practice pair. */
export function removePracticeFiles(services: JobServices, jobName: string): void {
  rmSync(folderOf(services, jobName), { recursive: true, force: true });
}

/** Removes files of pairs that were deleted while another machine ran the jobs. */
export async function removeForgottenFiles(services: JobServices): Promise<void> {
  const { database, jobs, log } = services;
  const pairs = await database.all(pairRow, 'SELECT name FROM data_job WHERE practice = 1');
  const kept = new Set(pairs.map(({ name }) => name));
  try {
    const folder = join(jobs.filesDir, 'practice');
    const names = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of names) if (!kept.has(name)) removePracticeFiles(services, name);
  } catch (error) {
    // They do no harm.
    log.warn({ err: error }, 'files of a deleted practice pair could not be removed');
  }
}

function fill(database: DatabaseSync, sql: string, rows: number, cells: (id: number) => (string | number)[]): void {
  const insert = database.prepare(sql);
  for (let id = 1; id <= rows; id += 1) insert.run(id, ...cells(id));
}

function at(words: readonly string[], index: number): string {
  return words[index % words.length] ?? '';
}
