import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { ApiKey, CreatedApiKey } from '../../../client/contract/jobs/api-keys.ts';
import { type KeyGroup, keyGroups } from '../../../client/contract/jobs/key-groups.ts';
import { takeOwnTurn } from '../../console/account/take-turn.ts';
import type { SecretKey } from '../../console/secret-key.ts';
import type { Queries } from '../../storage/database.ts';
import { tokenHash } from '../../storage/token-hash.ts';
import { askedRow } from '../asked-row.ts';
import { JobError } from '../errors.ts';
import { jsonColumn } from '../jobs.ts';
import { type RowServices, readableRows } from '../readable-rows.ts';
import type { JobServices } from '../services.ts';
import { isSignedBy, type SignedQuery } from './signature.ts';

const purpose = 'api key';
const nonceKeptMs = 86_400_000;
const mostKeys = 100;

const row = z.object({
  id: z.string(),
  uid: z.string(),
  name: z.string(),
  access_key: z.string(),
  secret_hash: z.string(),
  secret: z.string(),
  addresses: jsonColumn(z.array(z.string())),
  call_groups: jsonColumn(z.array(z.enum(keyGroups))),
  created_at: z.number(),
  expires_at: z.number().nullable(),
  last_used_at: z.number().nullable(),
});
export type KeyRow = z.infer<typeof row>;

const listed = row.transform((key) => ({ ...key, damaged: false }));
const nothing = z.unknown().transform((): never[] => []);
/** What is shown of a key whose limits cannot be read, so that it can be revoked. */
const rest = row.extend({ addresses: nothing, call_groups: nothing }).transform((key) => ({ ...key, damaged: true }));

const columns =
  'id, uid, name, access_key, secret_hash, secret, addresses, call_groups, created_at, expires_at, last_used_at';
const idRow = z.object({ id: z.string() });
const countRow = z.object({ n: z.number() });
const inForce = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)';

interface WantedKey {
  uid: string;
  name: string;
  expiresAt: number | undefined;
  addresses: readonly string[];
  groups: readonly KeyGroup[];
}

/** Creates a key; its secret is shown only now. */
export async function createKey(services: JobServices, wanted: WantedKey): Promise<CreatedApiKey> {
  const { database, secretKey, now } = services;
  const id = randomUUID();
  const accessKey = `ak${randomBytes(15).toString('hex')}`;
  const secret = randomBytes(32).toString('hex');
  await database.transaction(async (queries) => {
    await takeOwnTurn(queries, wanted.uid);
    const count = await queries.one(
      countRow,
      'SELECT count(*) AS n FROM api_key WHERE uid = $1 AND revoked_at IS NULL',
      [wanted.uid],
    );
    if ((count?.n ?? 0) >= mostKeys)
      throw new JobError('TOO_MANY', `An account has at most ${mostKeys} keys: revoke one.`);
    await queries.run(
      `INSERT INTO api_key (id, uid, name, access_key, secret_hash, secret, addresses, call_groups, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        id,
        wanted.uid,
        wanted.name,
        accessKey,
        tokenHash(secret),
        secretKey.encrypt(purpose, id, secret),
        JSON.stringify(wanted.addresses),
        JSON.stringify(wanted.groups),
        now(),
        wanted.expiresAt ?? null,
      ],
    );
  });
  return { id, accessKey, secret };
}

/** The live keys of an account, the newest first, without their secrets. */
export async function listKeys(services: RowServices, uid: string): Promise<ApiKey[]> {
  const rows = await readableRows(
    services,
    { what: 'key', schema: listed, rest },
    `SELECT ${columns} FROM api_key WHERE uid = $1 AND revoked_at IS NULL ORDER BY created_at DESC, id`,
    [uid],
  );
  return rows.map((key) => ({
    id: key.id,
    name: key.name,
    accessKey: key.access_key,
    createdAt: key.created_at,
    lastUsedAt: key.last_used_at,
    expiresAt: key.expires_at,
    addresses: key.addresses,
    groups: key.call_groups,
    damaged: key.damaged,
  }));
}

/** Ends a key at once. @throws JobError NO_KEY */
export async function revokeKey({ database, now }: JobServices, uid: string, id: string): Promise<void> {
  const ended = await database.run(
    'UPDATE api_key SET revoked_at = $1 WHERE id = $2 AND uid = $3 AND revoked_at IS NULL',
    [now(), id, uid],
  );
  if (ended === 0) throw new JobError('NO_KEY');
}

/** The key of a Bearer header `<access key>.<secret>`. @throws JobError UNKNOWN_KEY, KEY_DAMAGED, BAD_SIGNATURE */
export async function keyOfBearer(services: JobServices, token: string, address: string): Promise<KeyRow> {
  const [accessKey = '', secret = ''] = token.split('.');
  const key = await liveKey(services, accessKey, address);
  const [wanted, given] = [Buffer.from(key.secret_hash), Buffer.from(tokenHash(secret))];
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) throw new JobError('BAD_SIGNATURE');
  return key;
}

/** The key of a signed query; its nonce is used up. @throws JobError UNKNOWN_KEY, KEY_DAMAGED, BAD_SIGNATURE */
export async function keyOfSignature(services: JobServices, query: SignedQuery, address: string): Promise<KeyRow> {
  const { database, secretKey, now } = services;
  const key = await liveKey(services, query.accessKey, address);
  if (!isSignedBy(secretOf(secretKey, key), query)) throw new JobError('BAD_SIGNATURE');
  const fresh = await database.run(
    'INSERT INTO used_key_nonce (key_id, nonce, expires_at) VALUES ($1, $2, $3) ON CONFLICT (key_id, nonce) DO NOTHING',
    [key.id, query.nonce, now() + nonceKeptMs],
  );
  if (fresh === 0) throw new JobError('BAD_SIGNATURE', 'This nonce was used before: sign each call with a new one.');
  return key;
}

function secretOf(secretKey: SecretKey, { id, secret }: KeyRow): string {
  try {
    return secretKey.decrypt(purpose, id, secret);
  } catch (cause) {
    throw new JobError('KEY_DAMAGED', undefined, { cause });
  }
}

/** Whether a key was neither revoked nor has expired since it was found. */
export async function isInForce(queries: Queries, { id }: KeyRow, now: number): Promise<boolean> {
  return (await queries.one(idRow, `SELECT id FROM api_key WHERE id = $1 AND ${inForce}`, [id, now])) !== undefined;
}

async function liveKey({ database, now }: JobServices, accessKey: string, address: string): Promise<KeyRow> {
  const sql = `SELECT ${columns} FROM api_key WHERE access_key = $1 AND ${inForce}`;
  const key = await askedRow(database, row, sql, [accessKey, now()], {
    missing: 'UNKNOWN_KEY',
    damaged: 'KEY_DAMAGED',
  });
  if (key.addresses.length > 0 && !key.addresses.some((network) => isWithin(address, network))) {
    throw new JobError('UNKNOWN_KEY', 'This key is not allowed from this address.');
  }
  return key;
}

/** A key cannot create keys: its holder could never be shut out. @throws JobError NOT_OFFERED */
export function requireGroup({ call_groups: groups }: KeyRow, group: KeyGroup): void {
  const isAllowed = group !== 'apikey' && (groups.length === 0 || groups.includes(group));
  if (!isAllowed) throw new JobError('NOT_OFFERED', `This key is not allowed for calls of the group ${group}.`);
}

/** Records a key use; if the store refuses, the log says so, since the request is already done by then. */
export async function noteUse(
  { database, log, now }: JobServices,
  key: KeyRow,
  use: { call: string; address: string; status: number },
): Promise<void> {
  try {
    await database.transaction(async (queries) => {
      await queries.run('UPDATE api_key SET last_used_at = $1 WHERE id = $2', [now(), key.id]);
      await queries.run('INSERT INTO api_key_use (key_id, at, call, address, status) VALUES ($1, $2, $3, $4, $5)', [
        key.id,
        now(),
        use.call.slice(0, 200),
        use.address,
        use.status,
      ]);
    });
  } catch (error) {
    log.warn({ err: error, key: key.id }, 'the use of a key could not be recorded');
  }
}

function isWithin(address: string, network: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const one = ipaddr.process(address);
  if (!network.includes('/')) return one.toString() === ipaddr.process(network).toString();
  const [base, bits] = ipaddr.parseCIDR(network);
  return one.kind() === base.kind() && one.match(base, bits);
}
