import { createHash } from 'node:crypto';

/** What is stored of a token of 256 random bits: no table can be guessed that leads back to it. @returns SHA-256 in base64url */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
