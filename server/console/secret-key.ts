import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorMessage } from '../error-message.ts';
import { makeFolder } from '../make-folder.ts';
import { StorageError, StorageSilent } from '../storage/database.ts';
import { keyFile } from './data-dir.ts';

/** Keys derived from the installation's secret, one per purpose: none can stand in for another. */
export interface SecretKey {
  /** HMAC-SHA-256 of a text, base64url. */
  mac(purpose: string, text: string): string;
  /** Whether a MAC matches the text, compared in constant time. */
  isMac(purpose: string, text: string, mac: string): boolean;
  /** AES-256-GCM, base64url; `context` is authenticated with it, e.g. the id of the row. */
  encrypt(purpose: string, context: string, plain: string): string;
  /** @throws when the text was changed, or encrypted with another key or context */
  decrypt(purpose: string, context: string, sealed: string): string;
}

const nonceBytes = 12;
const tagBytes = 16;

/** Whether this machine has the installation's secret. */
export function hasSecretKey(configured: string | undefined, dataDir: string): boolean {
  return configured !== undefined || existsSync(join(dataDir, keyFile));
}

/**
 * The secret that the operator set, else one created once in `DATA_DIR/secret.key`, readable by its owner only.
 * @param asServer creates a missing one; without it, use throws a StorageError, since the server's would be another
 */
export function openSecretKey(configured: string | undefined, dataDir: string, asServer: boolean): SecretKey {
  const isMade = asServer || hasSecretKey(configured, dataDir);
  let known = isMade ? secretUnlessFull(configured, dataDir) : undefined;
  const needed = () => {
    if (isMade) known ??= secretOf(configured, dataDir);
    if (known) return known;
    throw new StorageError(
      `This needs the server's key, and ${join(dataDir, keyFile)} does not exist: set DATA_DIR or SECRET_KEY as for the server.`,
    );
  };
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', needed(), '', `millrace ${purpose}`, 32));
  const mac = (purpose: string, text: string) => createHmac('sha256', derive(purpose)).update(text).digest('base64url');
  return {
    mac,
    isMac(purpose, text, given) {
      const [wanted, other] = [Buffer.from(mac(purpose, text)), Buffer.from(given)];
      return other.length === wanted.length && timingSafeEqual(other, wanted);
    },
    encrypt(purpose, context, plain) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', derive(purpose), nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    decrypt(purpose, context, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', derive(purpose), bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
  };
}

/** The message for a wrong key: with it, each data source password and each sign-in would fail one by one, later. */
export function otherKey(configured: string | undefined, dataDir: string): string {
  return configured === undefined
    ? `${join(dataDir, keyFile)} is not the key that the store was written with: copy it from a backup or from another server of this store, or set the SECRET_KEY that was set then.`
    : 'SECRET_KEY is not the key that the store was written with: set that one, or none if the key was the file secret.key in DATA_DIR.';
}

const secretOf = (configured: string | undefined, dataDir: string) =>
  configured === undefined ? keptSecret(dataDir) : Buffer.from(configured);

/** Undefined while a first one cannot be created for lack of disk space: it is created once needed and possible. */
function secretUnlessFull(configured: string | undefined, dataDir: string): Buffer | undefined {
  try {
    return secretOf(configured, dataDir);
  } catch (error) {
    if (error instanceof StorageSilent) return undefined;
    throw error;
  }
}

/** @throws with one sentence when the file is unusable or damaged: a new key would make the stored data unreadable */
function keptSecret(dataDir: string): Buffer {
  const file = join(dataDir, keyFile);
  const known = readOrMake(file);
  const secret = Buffer.from(known.trim(), 'base64url');
  if (secret.length !== 32) {
    throw new Error(`${file} does not hold a key: restore its copy from a backup, or set SECRET_KEY.`);
  }
  return secret;
}

/** @throws with one sentence when the system refuses access, as in another user's folder */
function readOrMake(file: string): string {
  try {
    makeFolder(dirname(file));
    return read(file) ?? make(file);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC') {
      throw new StorageSilent(`${file} cannot be created (${errorMessage(cause)}): make room on its disk.`, { cause });
    }
    throw new Error(
      `${file} cannot be read or created (${errorMessage(cause)}): check that DATA_DIR and its contents belong to the server's user, or set SECRET_KEY.`,
      { cause },
    );
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written completely under another name and then linked: if two processes start together, one key counts. */
function make(file: string): string {
  const part = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeWhole(part, `${randomBytes(32).toString('base64url')}\n`);
    linkSync(part, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(part, { force: true });
  }
  return readFileSync(file, 'utf8');
}

/** Readable by its owner only, and on disk before it counts. */
function writeWhole(file: string, text: string): void {
  const fd = openSync(file, 'wx', 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
