import { randomUUID } from 'node:crypto';
import { newestKey } from '../console/account/password-key.ts';
import type { ConsoleServices } from '../console/services.ts';

/** The key pair that the file's first store created, in base64. */
let pair: readonly [publicKey: string, privateKey: string] | undefined;

/** Stores a key for passwords, as if the store had created it: that takes a fifth of a test's processor time. */
export async function storePasswordKey({ database, secretKey, now }: ConsoleServices): Promise<void> {
  if (!pair) {
    const made = await newestKey(database, secretKey, now());
    pair = [made.public_key, secretKey.decrypt('password key', made.kid, made.private_key)];
    return;
  }
  const kid = randomUUID();
  const [publicKey, privateKey] = pair;
  await database.run('INSERT INTO password_key (kid, public_key, private_key, created_at) VALUES ($1, $2, $3, $4)', [
    kid,
    publicKey,
    secretKey.encrypt('password key', kid, privateKey),
    now(),
  ]);
}
