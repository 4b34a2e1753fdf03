import type { SecretKey } from './secret-key.ts';

const signedForMs = 3_600_000;

/** A path that works without a session until it expires, for links that a browser follows on its own. */
export function signAddress(secretKey: SecretKey, path: string, now: number): { path: string; expiresAt: number } {
  const expiresAt = now + signedForMs;
  return {
    path: `${path}?expires=${expiresAt}&signature=${secretKey.mac('signed address', `${path} ${expiresAt}`)}`,
    expiresAt,
  };
}

/** Whether a path was signed by us and has not expired. */
export function isSigned(secretKey: SecretKey, path: string, query: URLSearchParams, now: number): boolean {
  const expires = query.get('expires') ?? '';
  return secretKey.isMac('signed address', `${path} ${expires}`, query.get('signature') ?? '') && Number(expires) > now;
}
