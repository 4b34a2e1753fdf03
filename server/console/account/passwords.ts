import { hash, verify } from '@node-rs/argon2';
import { ConcurrencyLimit } from '../../http/concurrency-limit.ts';

/** OWASP's second choice of parameters: 19 MiB, two passes, one lane; the library's own algorithm is argon2id. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each takes a core for about 20 ms and 19 MiB: one per worker thread, and a second's worth waiting. */
const queue = new ConcurrencyLimit({ running: 4, waiting: 60 });

const shortest = 8;
const longest = 128;
const mostBytes = 200;
/** Loaded with the first new password: a start has no use for it. */
let mostCommon: Set<string> | undefined;

async function readMostCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].slice(0, 10_000).map((word) => String(word).toLowerCase()));
}

/** Compared with when there is no account: unknown and known accounts must take the same time. */
const dummy = hash('no password at all', parameters);

/** What is wrong with a new password, in one sentence; undefined when nothing is. */
export async function passwordFault(password: string): Promise<string | undefined> {
  if ([...password].length < shortest) return `The password must have at least ${shortest} characters.`;
  if ([...password].length > longest) return `The password must have at most ${longest} characters.`;
  if (Buffer.byteLength(password) > mostBytes)
    return `The password must have at most ${mostBytes} bytes: an emoji takes 4, a letter beyond English 2 or 3.`;
  mostCommon ??= await readMostCommon();
  if (mostCommon.has(password.toLowerCase()))
    return 'This password is one of the most common ones. Please choose another.';
  return undefined;
}

/** argon2id in PHC form, with a random salt. @throws HttpError OVERLOADED when too many are waiting */
export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(password, parameters));
}

/** Compares in constant time; without a stored hash it takes as long and is never right. @throws HttpError OVERLOADED */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const known = typeof stored === 'string';
  const right = await queue.run(async () => verify(known ? stored : await dummy, password));
  return known && right;
}
