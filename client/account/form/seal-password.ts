import { isRecord } from '../../browser/json.ts';
import { call } from '../../call.ts';
import { calls } from '../../contract/calls.ts';

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const toBase64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)));

/** The message for a browser that cannot encrypt, as on plain http. */
export class NoEncryption extends Error {
  override message =
    'This browser cannot encrypt a password on an unencrypted connection: open this page over https, or ask the operator for ALLOW_PLAIN_PASSWORD.';
}

/** The message for a password that does not fit into one encrypted block, which holds every allowed one but a few. */
export class PasswordTooLong extends Error {
  override message =
    'The password is too long: at most 200 bytes, of which an emoji takes 4, a letter beyond English 2 or 3, and a quotation mark or a backslash 2.';
}

/** What RSA-OAEP with SHA-256 adds to a text. */
const paddingBytes = 66;

/**
 * A password in the form that calls accept: encrypted with the server's key and a single-use nonce.
 * @param plainAllowed the operator accepts plain ones, for browsers without WebCrypto
 * @throws NoEncryption, PasswordTooLong, and what `call` throws
 */
export async function sealPassword(
  password: string,
  plainAllowed: boolean,
): Promise<{ password: string; kid?: string }> {
  if (!globalThis.crypto?.subtle) {
    if (plainAllowed) return { password };
    throw new NoEncryption();
  }
  const answer = await call(calls.getPublicKey);
  const data = answer.success && isRecord(answer.data) ? answer.data : {};
  const { key, kid, nonce } = data;
  if (typeof key !== 'string' || typeof kid !== 'string' || typeof nonce !== 'string') {
    throw new Error('The server provided no encryption key.');
  }
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const publicKey = await crypto.subtle.importKey('spki', fromBase64(key), algorithm, false, ['encrypt']);
  const plain = new TextEncoder().encode(JSON.stringify({ p: password, n: nonce }));
  const { modulusLength } = publicKey.algorithm as RsaHashedKeyAlgorithm;
  if (plain.length > modulusLength / 8 - paddingBytes) throw new PasswordTooLong();
  return { password: toBase64(await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, publicKey, plain)), kid };
}
