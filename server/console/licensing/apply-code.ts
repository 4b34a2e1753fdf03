import { z } from 'zod';
import { ConsoleError } from '../errors.ts';

/** What an installation says about itself when it asks for a licence. */
const claim = z.strictObject({
  /** Random id that the installation generated once. */
  installation: z.string().regex(/^[A-Za-z0-9_-]{16,64}$/),
  /** Links that it uses now. */
  used: z.int().min(0).max(100_000),
});

export type InstallationClaim = z.infer<typeof claim>;

const prefix = 'MRA1.';

/** An apply code: a prefix that names its version, and base64url of JSON. */
export function writeApplyCode(installation: InstallationClaim): string {
  return prefix + Buffer.from(JSON.stringify(installation)).toString('base64url');
}

/** Reads an apply code; spaces and line breaks from a mail program are allowed. @throws ConsoleError BAD_APPLY_CODE */
export function readApplyCode(code: string): InstallationClaim {
  const text = code.replace(/\s/g, '');
  if (!text.startsWith(prefix)) throw new ConsoleError('BAD_APPLY_CODE');
  try {
    return claim.parse(JSON.parse(Buffer.from(text.slice(prefix.length), 'base64url').toString('utf8')));
  } catch (cause) {
    throw new ConsoleError('BAD_APPLY_CODE', { cause });
  }
}
