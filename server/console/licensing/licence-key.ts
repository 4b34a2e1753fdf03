import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { z } from 'zod';
import type { ConsoleServices } from '../services.ts';

const row = z.object({ id: z.string(), public_key: z.string(), private_key: z.string() });
const jwk = z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() });

/** The vendor's key pair, created when first needed. */
async function keyRow({ database, secretKey, now }: ConsoleServices): Promise<z.infer<typeof row>> {
  const first = 'SELECT id, public_key, private_key FROM licence_key ORDER BY created_at, id LIMIT 1';
  const known = await database.one(row, first);
  if (known) return known;
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const id = randomUUID();
  const publicKey = JSON.stringify({ ...(await exportJWK(pair.publicKey)), kid: id, alg: 'EdDSA', use: 'sig' });
  const privateKey = secretKey.encrypt('licence key', id, JSON.stringify(await exportJWK(pair.privateKey)));
  // If two servers create one at the same time, the first counts for both.
  await database.exclusively(async (queries) => {
    if (await queries.one(row, first)) return;
    await queries.run('INSERT INTO licence_key (id, public_key, private_key, created_at) VALUES ($1, $2, $3, $4)', [
      id,
      publicKey,
      privateKey,
      now(),
    ]);
  });
  const stored = await database.one(row, first);
  if (!stored) throw new Error('The key that signs licences was not stored.');
  return stored;
}

/** The public half as JWK in JSON, for verifying codes offline. */
export async function licencePublicKey(services: ConsoleServices): Promise<string> {
  return (await keyRow(services)).public_key;
}

/** The private half, for signing. */
export interface SigningKey {
  kid: string;
  key: CryptoKey | Uint8Array;
}

/** The signing key; load it before a transaction that needs it. */
export async function licenceSigningKey(services: ConsoleServices): Promise<SigningKey> {
  const { id, private_key } = await keyRow(services);
  const key: JWK = jwk.parse(JSON.parse(services.secretKey.decrypt('licence key', id, private_key)));
  return { kid: id, key: await importJWK(key, 'EdDSA') };
}
