import { createHash } from 'node:crypto';

/** The stored form of a token of 256 random bits, too many to find by guessing. @returns SHA-256 in base64url */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
