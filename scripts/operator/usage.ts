import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { dayOf } from '../../client/contract/dates.ts';
import { makeDailyBills } from '../../server/console/billing/daily-bills.ts';
import {
  importOrCorrectUsage,
  jobReport,
  type UsageRecord,
  usageRecord,
} from '../../server/console/billing/import-usage.ts';
import type { ConsoleServices } from '../../server/console/services.ts';
import { CommandError, runCommand, UsageError } from './open-console.ts';

const usage = `npm run usage -- import <file.ndjson>   imports usage of jobs, one JSON object per line:
{"id":"…","uid":"…","day":"2026-11-21","dataJobId":"7","dataJobName":"orders","item":"INCREMENT","rows":1000}
A record with an id that was imported before counts once; if it differs, it corrects the stored one until that is
billed. Days after today (UTC) are refused.
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

/** A record with its line, to name it. */
interface Read {
  record: UsageRecord;
  line: number;
}

/** @param today in UTC, YYYY-MM-DD */
function parseLine(text: string, line: number, today: string): UsageRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw faultyLine(line, 'is not JSON');
  }
  const parsed = usageRecord.safeParse(value);
  if (parsed.data?.id.startsWith(jobReport)) throw faultyLine(line, `has an id that only jobs use (${jobReport}…)`);
  // Usage of a later day would be billed only after that day.
  if (parsed.data && parsed.data.day > today) throw faultyLine(line, `has a day after today, ${today} in UTC`);
  if (parsed.success) return parsed.data;
  throw faultyLine(line, parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
}

async function requireAccount({ database }: ConsoleServices, uid: string, line: number): Promise<void> {
  if (accounts.has(uid)) return;
  const found = await database.one(accountRow, 'SELECT uid FROM account WHERE uid = $1 AND erased_at IS NULL', [uid]);
  if (!found) throw faultyLine(line, `names the account ${uid}, which does not exist or was erased`);
  accounts.add(uid);
}

/** What became of the records. */
interface Imported {
  fresh: number;
  corrected: number;
}

function store({ database }: ConsoleServices, batchRead: readonly Read[]): Promise<Imported> {
  return database.transaction(async (queries) => {
    const imported = { fresh: 0, corrected: 0 };
    for (const { record, line } of batchRead) {
      const became = await importOrCorrectUsage(queries, record);
      if (became === 'billed') throw faultyLine(line, 'differs from the record of its id, which is billed already');
      if (became === 'new') imported.fresh += 1;
      if (became === 'corrected') imported.corrected += 1;
    }
    return imported;
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
  const today = dayOf(services.now());
  const total = { fresh: 0, corrected: 0 };
  const storeBatch = async (read: readonly Read[]) => {
    const { fresh, corrected } = await store(services, read);
    total.fresh += fresh;
    total.corrected += corrected;
  };
  let line = 0;
  let read: Read[] = [];
  for await (const text of createInterface({ input: createReadStream(file) })) {
    line += 1;
    if (text.trim() === '') continue;
    const record = parseLine(text, line, today);
    await requireAccount(services, record.uid, line);
    read.push({ record, line });
    if (read.length < batch) continue;
    await storeBatch(read);
    read = [];
  }
  await storeBatch(read);
  const corrected = total.corrected > 0 ? `, ${total.corrected} corrected` : '';
  console.log(
    `${line} lines read, ${total.fresh} new records${corrected}. Bills are created after midnight UTC, or with: npm run usage -- bill`,
  );
});
