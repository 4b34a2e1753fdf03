import { randomBytes } from 'node:crypto';

// The prefix differs between replicas and restarts, so ids stay unique without a random draw per request.
const prefix = randomBytes(6).toString('base64url');
let count = 0;

/** A new id for a request; ids sent by clients are never used. */
export function nextRequestId(): string {
  count += 1;
  return `${prefix}-${count.toString(36)}`;
}
