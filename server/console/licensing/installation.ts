import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Installation } from '../../../client/contract/console/installation.ts';
import { ConsoleError } from '../errors.ts';
import type { ConsoleServices } from '../services.ts';
import { writeApplyCode } from './apply-code.ts';
import { type SignedLicence, verifyAuthCode } from './auth-code.ts';
import { freeLinks } from './editions.ts';

const row = z.object({ id: z.string(), auth_code: z.string().nullable() });
const uidRow = z.object({ uid: z.string() });
/** Links are data jobs, and this version has none. */
const linksInUse = 0;

/** The installation's own id, made at the first need, and the code that was entered last. */
async function readRow({ database }: ConsoleServices): Promise<z.infer<typeof row>> {
  const select = 'SELECT id, auth_code FROM installation';
  const known = await database.one(row, select);
  if (known) return known;
  await database.run('INSERT INTO installation (one, id) VALUES (1, $1) ON CONFLICT DO NOTHING', [
    randomBytes(16).toString('base64url'),
  ]);
  const made = await database.one(row, select);
  if (!made) throw new Error('The id of the installation was not stored.');
  return made;
}

/** The licence of a code, if the seller signed it for this installation and its time is now. @throws ConsoleError */
async function checkCode(services: ConsoleServices, id: string, code: string): Promise<SignedLicence> {
  const { config, now } = services;
  if (config.licencePublicKey === undefined) throw new ConsoleError('NO_LICENCE_NEEDED');
  const licence = await verifyAuthCode(code, config.licencePublicKey, now()).catch((cause: unknown) => {
    throw new ConsoleError('BAD_AUTH_CODE', { cause });
  });
  if (licence.installation !== id) throw new ConsoleError('OTHER_INSTALLATION');
  return licence;
}

/**
 * What this installation may run: without a seller's key anything; with one the free edition's links, or those of the
 * code that was entered, while it is valid.
 */
export async function installationOf(services: ConsoleServices): Promise<Installation> {
  const { id, auth_code: code } = await readRow(services);
  const applyCode = writeApplyCode({ installation: id, used: linksInUse });
  const free = { applyCode, edition: 'COMMUNITY', used: linksInUse, from: null, to: null } as const;
  if (services.config.licencePublicKey === undefined) return { ...free, links: null };
  const licence = await validLicence(services, id, code);
  if (!licence) return { ...free, links: freeLinks };
  const { edition, links, from, to } = licence;
  return { applyCode, edition, links, used: linksInUse, from, to };
}

/** A code that was valid when it was entered ends, or the operator changes the key: that is no fault of this question. */
async function validLicence(services: ConsoleServices, id: string, code: string | null) {
  if (code === null) return undefined;
  try {
    return await checkCode(services, id, code);
  } catch (error) {
    if (error instanceof ConsoleError) return undefined;
    throw error;
  }
}

/** Takes an authorization code; the one entered last counts. @throws ConsoleError when it is not valid here and now */
export async function installLicence(services: ConsoleServices, code: string): Promise<Installation> {
  const { id } = await readRow(services);
  const text = code.replace(/\s/g, '');
  await checkCode(services, id, text);
  await services.database.run('UPDATE installation SET auth_code = $1', [text]);
  return installationOf(services);
}

/** Whether an account is the installation's owner, which the first one is. */
export async function isOwner({ database }: ConsoleServices, uid: string): Promise<boolean> {
  const first = await database.one(uidRow, 'SELECT uid FROM account ORDER BY created_at, uid LIMIT 1');
  return first?.uid === uid;
}
