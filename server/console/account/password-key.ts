import {
  constants,
  createPrivateKey,
  generateKeyPair,
  type KeyObject,
  privateDecrypt,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Database, Queries } from '../../storage/database.ts';
import { ConsoleError } from '../errors.ts';
import type { SecretKey } from '../secret-key.ts';
import type { ConsoleServices } from '../services.ts';

const bits = 3072;
const nonceMs = 10 * 60_000;
const makePair = promisify(generateKeyPair);

const keyRow = z.object({ kid: z.string(), public_key: z.string(), private_key: z.string() });
const sealed = z.strictObject({ p: z.string().max(400), n: z.string().max(200) });

/** The service's newest key pair, created when first needed; replicas that create one at the same time share one. */
export async function newestKey(
  database: Database,
  secretKey: SecretKey,
  now: number,
): Promise<z.infer<typeof keyRow>> {
  const newest = () =>
    database.one(keyRow, 'SELECT kid, public_key, private_key FROM password_key ORDER BY created_at DESC, kid LIMIT 1');
  const known = await newest();
  if (known) return known;
  const { publicKey, privateKey } = await makePair('rsa', { modulusLength: bits });
  const kid = randomUUID();
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  await database.exclusively(async (queries) => {
    const made = await queries.one(keyRow, 'SELECT kid, public_key, private_key FROM password_key LIMIT 1');
    if (made) return;
    await queries.run('INSERT INTO password_key (kid, public_key, private_key, created_at) VALUES ($1, $2, $3, $4)', [
      kid,
      spki,
      secretKey.encrypt('password key', kid, pkcs8),
      now,
    ]);
  });
  const stored = await newest();
  if (!stored) throw new Error('The key for passwords was not stored.');
  return stored;
}

/** What a browser needs to encrypt a password: the key, and a nonce that can be used once. */
export async function publicPasswordKey({ database, secretKey, now }: ConsoleServices) {
  const { kid, public_key: key } = await newestKey(database, secretKey, now());
  const exp = now() + nonceMs;
  const random = `${exp.toString(36)}.${randomBytes(16).toString('base64url')}`;
  return {
    kid,
    alg: 'RSA-OAEP-256' as const,
    key,
    nonce: `${random}.${secretKey.mac('password nonce', kid + random)}`,
    exp,
  };
}

/** Whether the installation's secret is the one that the store was written with, as far as the store can tell. */
export async function opensStored(database: Queries, secretKey: SecretKey): Promise<boolean> {
  const row = await database.one(keyRow, 'SELECT kid, public_key, private_key FROM password_key LIMIT 1');
  if (!row) return true;
  try {
    secretKey.decrypt('password key', row.kid, row.private_key);
    return true;
  } catch {
    // AES-GCM gives no further reason.
    return false;
  }
}

const opened = new LRUCache<string, KeyObject>({ max: 4 });

async function privateKey({ database, secretKey }: ConsoleServices, kid: string): Promise<KeyObject | undefined> {
  const known = opened.get(kid);
  if (known) return known;
  const row = await database.one(keyRow, 'SELECT kid, public_key, private_key FROM password_key WHERE kid = $1', [kid]);
  if (!row) return undefined;
  const key = createPrivateKey({
    key: Buffer.from(secretKey.decrypt('password key', kid, row.private_key), 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  opened.set(kid, key);
  return key;
}

/**
 * The password of a call: encrypted with the key of `/getPublicKey`, or plain if the operator allows that.
 * @throws ConsoleError BAD_PASSWORD_ENCRYPTION when it cannot be read or its nonce was used before
 */
export async function readPassword(
  services: ConsoleServices,
  password: string,
  kid: string | undefined,
): Promise<string> {
  if (kid === undefined) {
    if (services.config.allowPlainPassword) return password;
    throw new ConsoleError('PLAIN_PASSWORD');
  }
  const key = await privateKey(services, kid);
  const content = key && decrypt(key, password);
  if (!content || !(await spendNonce(services, kid, content.n))) throw new ConsoleError('BAD_PASSWORD_ENCRYPTION');
  return content.p;
}

function decrypt(key: KeyObject, password: string): z.infer<typeof sealed> | undefined {
  try {
    const plain = privateDecrypt(
      { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(password, 'base64'),
    );
    return sealed.safeParse(JSON.parse(plain.toString('utf8'))).data;
  } catch {
    // Whatever is wrong with it, the sender only learns that it cannot be read.
    return undefined;
  }
}

async function spendNonce({ database, secretKey, now }: ConsoleServices, kid: string, nonce: string): Promise<boolean> {
  const [end = '', random = '', mac = ''] = nonce.split('.');
  const expiresAt = Number.parseInt(end, 36);
  if (!secretKey.isMac('password nonce', `${kid}${end}.${random}`, mac) || !(expiresAt > now())) return false;
  const used = 'INSERT INTO used_nonce (nonce, expires_at) VALUES ($1, $2) ON CONFLICT (nonce) DO NOTHING';
  return (await database.run(used, [random, expiresAt])) === 1;
}
