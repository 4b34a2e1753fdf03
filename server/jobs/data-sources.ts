import { z } from 'zod';
import { takeOwnTurn } from '../console/account/take-turn.ts';
import type { SecretKey } from '../console/secret-key.ts';
import type { Card } from '../engine/systems/system.ts';
import { inPlainWords, invalidFields } from '../http/invalid-fields.ts';
import type { Queries, SqlValue } from '../storage/database.ts';
import { askedRow } from './asked-row.ts';
import { JobError, jobErrors } from './errors.ts';
import { nextId, randomName } from './ids.ts';
import { flag, jsonColumn } from './jobs.ts';
import { readableRows } from './readable-rows.ts';
import type { JobServices } from './services.ts';

const settingsSchema = z.record(z.string(), z.unknown());
const labels = z.object({
  deployType: z.string(),
  region: z.string(),
  hostType: z.enum(['PRIVATE', 'PUBLIC']),
  securityType: z.string(),
  version: z.string(),
});
export type Labels = z.infer<typeof labels>;

const testedSchema = z.object({ at: z.number(), success: z.boolean(), sentence: z.string() });

const row = z.object({
  id: z.number(),
  uid: z.string(),
  instance_id: z.string(),
  family: z.string(),
  description: z.string(),
  settings: jsonColumn(settingsSchema),
  secrets: z.string().nullable(),
  labels: jsonColumn(labels),
  tested: jsonColumn(testedSchema).nullable(),
  practice: flag,
  created_at: z.number(),
});
export type DataSourceRow = z.infer<typeof row>;

/** What is shown of a data source if some of its columns cannot be read. */
const rest = row.extend({
  settings: z.unknown().transform(() => ({})),
  secrets: z.unknown().transform((): null => null),
  labels: z.unknown().transform(
    (): Labels => ({
      deployType: 'SELF_MAINTENANCE',
      region: '',
      hostType: 'PRIVATE',
      securityType: '',
      version: '',
    }),
  ),
  tested: z.unknown().transform(() => ({ at: 0, success: false, sentence: jobErrors.DATA_SOURCE_DAMAGED.msg })),
});

const columns = 'id, uid, instance_id, family, description, settings, secrets, labels, tested, practice, created_at';
const purpose = 'data source';
/** As many as all jobs of an account have sides. */
const mostDataSources = 2_000;
const countRow = z.object({ n: z.number() });

const sqlOf = (where: string) => `SELECT ${columns} FROM data_source WHERE ${where} ORDER BY id`;

/** Data sources that meet a condition and can be read. */
export function readableDataSources(
  services: Pick<JobServices, 'database' | 'jobs'>,
  where: string,
  parameters: readonly SqlValue[],
): Promise<DataSourceRow[]> {
  return readableRows(services, { what: 'data source', schema: row }, sqlOf(where), parameters);
}

/** Data sources that meet a condition; if one cannot be read, what is left of it. */
export function dataSourcesToShow(
  services: Pick<JobServices, 'database' | 'jobs'>,
  where: string,
  parameters: readonly SqlValue[],
): Promise<DataSourceRow[]> {
  return readableRows(services, { what: 'data source', schema: row, rest }, sqlOf(where), parameters);
}

/** An account's data source. @throws JobError NO_DATA_SOURCE, also for another account's; DATA_SOURCE_DAMAGED */
export function dataSourceOf(queries: Queries, uid: string, id: number): Promise<DataSourceRow> {
  return askedRow(queries, row, sqlOf('id = $1 AND uid = $2'), [id, uid], {
    missing: 'NO_DATA_SOURCE',
    damaged: 'DATA_SOURCE_DAMAGED',
  });
}

/** All settings with the secrets in plain text, only for a child process. @throws JobError SECRETS_UNREADABLE */
export function openSettings(secretKey: SecretKey, source: DataSourceRow): Record<string, unknown> {
  return { ...source.settings, ...openSecrets(secretKey, source) };
}

/** Names of stored secrets (`set`), and of non-empty ones; none if unreadable, so that they are entered again. */
export function storedSecrets(
  { secretKey, jobs }: SecretServices,
  source: DataSourceRow,
): { set: string[]; filled: string[] } {
  try {
    const secrets = openSecrets(secretKey, source);
    const set = Object.keys(secrets);
    return { set, filled: set.filter((name) => secrets[name] !== '') };
  } catch (error) {
    jobs.nameDamage('data source', source, error);
    return { set: [], filled: [] };
  }
}

type SecretServices = Pick<JobServices, 'secretKey' | 'jobs'>;

function openSecrets(secretKey: SecretKey, { instance_id, secrets }: DataSourceRow): Record<string, unknown> {
  if (secrets === null) return {};
  try {
    return settingsSchema.parse(JSON.parse(secretKey.decrypt(purpose, instance_id, secrets)));
  } catch (error) {
    throw new JobError('SECRETS_UNREADABLE', undefined, { cause: error });
  }
}

interface NewDataSource {
  uid: string;
  card: Card;
  description: string;
  settings: Record<string, unknown>;
  labels: Labels;
  practice: boolean;
  now: number;
}

/**
 * Stores a data source in the caller's transaction; the family's card checks its settings.
 * @throws HttpError INVALID_FIELDS
 * @throws JobError TOO_MANY
 */
export async function storeDataSource(queries: Queries, secretKey: SecretKey, wanted: NewDataSource): Promise<number> {
  const { card, uid } = wanted;
  await takeOwnTurn(queries, uid);
  const count = await queries.one(countRow, 'SELECT count(*) AS n FROM data_source WHERE uid = $1', [uid]);
  if ((count?.n ?? 0) >= mostDataSources)
    throw new JobError('TOO_MANY', `An account has at most ${mostDataSources} data sources: delete one first.`);
  const id = await nextId(queries);
  const instanceId = randomName(`${prefixes[card.family] ?? 'ds'}-`, 15);
  const { open, sealed } = seal(secretKey, card, instanceId, wanted.settings);
  await queries.run(
    `INSERT INTO data_source (id, uid, instance_id, family, description, settings, secrets, labels, practice, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      uid,
      instanceId,
      card.family,
      wanted.description,
      open,
      sealed,
      JSON.stringify(wanted.labels),
      wanted.practice ? 1 : 0,
      wanted.now,
    ],
  );
  return id;
}

/** The result of a change of settings. */
export interface ChangedSettings {
  /** Settings that are not secret. */
  settings: Record<string, unknown>;
  /** Whether a secret is kept that was entered for the previous settings. */
  keepsSecret: boolean;
}

/**
 * Changes settings in the caller's transaction; settings not named stay. Unreadable secrets can only be replaced by new
 * ones.
 * @throws HttpError INVALID_FIELDS
 * @throws JobError SECRETS_UNREADABLE
 */
export async function changeSettings(
  queries: Queries,
  secretKey: SecretKey,
  card: Card,
  source: DataSourceRow,
  changes: Record<string, unknown>,
): Promise<ChangedSettings> {
  const isAnew = card.secrets.every((name) => Object.hasOwn(changes, name));
  const known = isAnew ? source.settings : openSettings(secretKey, source);
  const { open, sealed } = seal(secretKey, card, source.instance_id, { ...known, ...changes });
  await queries.run('UPDATE data_source SET settings = $1, secrets = $2 WHERE id = $3', [open, sealed, source.id]);
  const keepsSecret = card.secrets.some((name) => (known[name] ?? '') !== '' && !Object.hasOwn(changes, name));
  return { settings: settingsSchema.parse(JSON.parse(open)), keepsSecret };
}

/** `my-`, `pg-` and so on, as open API clients know them. */
const prefixes: Readonly<Record<string, string>> = { postgresql: 'pg', mysql: 'my', mariadb: 'ma', sqlite: 'sl' };

function seal(secretKey: SecretKey, card: Card, instanceId: string, settings: Record<string, unknown>) {
  const parsed = card.settings.safeParse(settings, inPlainWords);
  if (!parsed.success) throw invalidFields(parsed.error);
  const all = settingsSchema.parse(parsed.data);
  const isSecret = ([name]: [string, unknown]) => card.secrets.includes(name);
  const secrets = Object.entries(all).filter((entry) => isSecret(entry) && entry[1] !== undefined);
  const open = Object.entries(all).filter((entry) => !isSecret(entry));
  return {
    open: JSON.stringify(Object.fromEntries(open)),
    sealed:
      secrets.length === 0 ? null : secretKey.encrypt(purpose, instanceId, JSON.stringify(Object.fromEntries(secrets))),
  };
}
