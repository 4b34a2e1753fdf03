import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errorMessage } from '../error-message.ts';
import { StorageError, StorageSilent } from '../storage/database.ts';
import { keyFile } from './data-dir.ts';

/** Keys derived from the installation's secret, one for each purpose, so that none can stand in for another. */
export interface SecretKey {
  /** HMAC-SHA-256 of a text, base64url. */
  mac(purpose: string, text: string): string;
  /** Whether a MAC is that of the text, in a time that tells nothing of it. */
  isMac(purpose: string, text: string, mac: string): boolean;
  /** AES-256-GCM, base64url; `context` is authenticated with it, e.g. the id of the row. */
  encrypt(purpose: string, context: string, plain: string): string;
  /** @throws when the text was changed, or encrypted with another key or context */
  decrypt(purpose: string, context: string, sealed: string): string;
}

const nonceBytes = 12;
const tagBytes = 16;

/** Whether this machine has the secret of the installation. */
export function hasSecretKey(configured: string | undefined, dataDir: string): boolean {
  return configured !== undefined || existsSync(join(dataDir, keyFile));
}

/**
 * The secret that the operator set, else one made once and kept in `DATA_DIR/secret.key`, for its owner's eyes alone.
 * @param asServer makes one that is missing; without, using it throws a StorageError, since the server would have another
 */
export function openSecretKey(configured: string | undefined, dataDir: string, asServer: boolean): SecretKey {
  const isMade = asServer || hasSecretKey(configured, dataDir);
  let known = isMade ? secretUnlessFull(configured, dataDir) : undefined;
  const needed = () => {
    if (isMade) known ??= secretOf(configured, dataDir);
    if (known) return known;
    throw new StorageError(
      `This needs the key of the server, and ${join(dataDir, keyFile)} is not there: set DATA_DIR or SECRET_KEY as for the server.`,
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

/** What is said of another key: with it, each password of a data source and each sign-in would fail by itself, later. */
export function otherKey(configured: string | undefined, dataDir: string): string {
  return configured === undefined
    ? `${join(dataDir, keyFile)} is not the key that the store was written with: put back its copy from a backup, or set the SECRET_KEY that was set then.`
    : 'SECRET_KEY is not the key that the store was written with: set that one, or none if the key was the file secret.key in DATA_DIR.';
}

const secretOf = (configured: string | undefined, dataDir: string) =>
  configured === undefined ? keptSecret(dataDir) : Buffer.from(configured);

/** Undefined while a first one cannot be made for want of room: it is made when it is needed, and there is room. */
function secretUnlessFull(configured: string | undefined, dataDir: string): Buffer | undefined {
  try {
    return secretOf(configured, dataDir);
  } catch (error) {
    if (error instanceof StorageSilent) return undefined;
    throw error;
  }
}

/** @throws with one sentence when the file cannot be used, or is damaged: a new key would make what is stored unreadable */
function keptSecret(dataDir: string): Buffer {
  const file = join(dataDir, keyFile);
  const known = readOrMake(file);
  const secret = Buffer.from(known.trim(), 'base64url');
  if (secret.length !== 32) {
    throw new Error(`${file} does not hold a key: put back its copy from a backup, or set SECRET_KEY.`);
  }
  return secret;
}

/** @throws with one sentence when the system refuses it, as in a folder of another user */
function readOrMake(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true });
    return read(file) ?? make(file);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC') {
      throw new StorageSilent(`${file} cannot be made (${errorMessage(cause)}): make room on its disk.`, { cause });
    }
    throw new Error(
      `${file} cannot be read or made (${errorMessage(cause)}): see that DATA_DIR and what is in it belong to the user of the server, or set SECRET_KEY.`,
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

/** Written whole beside its place and then linked there, so that of two processes that start together one key counts. */
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

/** For its owner's eyes alone, and on the disk before it counts. */
function writeWhole(file: string, text: string): void {
  const fd = openSync(file, 'wx', 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
