import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { makeDailyBills } from '../../server/console/billing/daily-bills.ts';
import { importUsage, jobReport, type UsageRecord, usageRecord } from '../../server/console/billing/import-usage.ts';
import type { ConsoleServices } from '../../server/console/services.ts';
import { CommandError, runCommand, UsageError } from './open-console.ts';

const usage = `npm run usage -- import <file.ndjson>   imports usage of jobs, one JSON object per line:
{"id":"…","uid":"…","day":"2026-11-21","dataJobId":"7","dataJobName":"orders","item":"INCREMENT","rows":1000}
A record with an id that was imported before changes nothing.
npm run usage -- bill                  creates yesterday's bills now instead of within the hour`;

const batch = 500;
const [action = '', file = ''] = process.argv.slice(2);
const accountRow = z.object({ uid: z.string() });
const accounts = new Set<string>();

function faultyLine(line: number, fault: string): UsageError {
  return new UsageError(
    `${file}:${line} ${fault}. Correct the line and import the file again: records already imported count once.`,
  );
}

function parseLine(text: string, line: number): UsageRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw faultyLine(line, 'is not JSON');
  }
  const parsed = usageRecord.safeParse(value);
  if (parsed.data?.id.startsWith(jobReport)) throw faultyLine(line, `has an id that only jobs use (${jobReport}…)`);
  if (parsed.success) return parsed.data;
  throw faultyLine(line, parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
}

async function requireAccount({ database }: ConsoleServices, uid: string, line: number): Promise<void> {
  if (accounts.has(uid)) return;
  const found = await database.one(accountRow, 'SELECT uid FROM account WHERE uid = $1 AND erased_at IS NULL', [uid]);
  if (!found) throw faultyLine(line, `names the account ${uid}, which does not exist or was erased`);
  accounts.add(uid);
}

async function store({ database }: ConsoleServices, records: UsageRecord[]): Promise<number> {
  return database.transaction(async (queries) => {
    let fresh = 0;
    for (const record of records) if (await importUsage(queries, record)) fresh += 1;
    return fresh;
  });
}

await runCommand(usage, async (services) => {
  if (action === 'bill') {
    const { made, failed } = await makeDailyBills(services);
    console.log(made === 1 ? '1 bill created.' : `${made} bills created.`);
    if (failed > 0) throw new CommandError(`${failed} could not be created, see above; the server retries them.`);
    return;
  }
  if (action !== 'import') throw new UsageError(`There is no action “${action}”.`);
  if (file === '') throw new UsageError('Name a file to import.');
  let [line, fresh] = [0, 0];
  let records: UsageRecord[] = [];
  for await (const text of createInterface({ input: createReadStream(file) })) {
    line += 1;
    if (text.trim() === '') continue;
    const record = parseLine(text, line);
    await requireAccount(services, record.uid, line);
    records.push(record);
    if (records.length < batch) continue;
    fresh += await store(services, records);
    records = [];
  }
  fresh += await store(services, records);
  console.log(
    `${line} lines read, ${fresh} new records. Bills are created after midnight UTC, or with: npm run usage -- bill`,
  );
});
