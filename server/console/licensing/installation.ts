import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Installation } from '../../../client/contract/console/installation.ts';
import { ConsoleError } from '../errors.ts';
import type { ConsoleServices } from '../services.ts';
import { writeApplyCode } from './apply-code.ts';
import { clockTolerance, type SignedLicence, verifyAuthCode, verifyAuthCodeAnyTime } from './auth-code.ts';
import { freeLinks } from './editions.ts';

const row = z.object({ id: z.string(), auth_code: z.string().nullable() });

/** What the installation is allowed to run now; `links` is null if nothing limits them. */
export type AllowedLinks = Omit<Installation, 'applyCode' | 'used'>;
const community = { edition: 'COMMUNITY', from: null, to: null, ended: null } as const;

/** The installation's own id, created when first needed, and the code that was entered last. */
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

/**
 * Checks that the seller signed a code for this installation, that it is valid now, and that the one before has not
 * replaced it.
 * @throws ConsoleError
 */
async function checkCode(
  { config: { licencePublicKey }, now }: ConsoleServices,
  { id, auth_code: before }: z.infer<typeof row>,
  code: string,
): Promise<void> {
  if (licencePublicKey === undefined) throw new ConsoleError('NO_LICENCE_NEEDED');
  const licence = await verifyAuthCode(code, licencePublicKey, now()).catch((cause: unknown) => {
    throw new ConsoleError('BAD_AUTH_CODE', { cause });
  });
  if (licence.installation !== id) throw new ConsoleError('OTHER_INSTALLATION');
  const entered = before === null ? undefined : await enteredLicence(before, licencePublicKey);
  if (entered?.replaces.includes(licence.id)) throw new ConsoleError('CODE_REPLACED');
}

/**
 * What this installation is allowed to run now: without a seller's key, anything; with one, the free edition's links,
 * or those of the entered code while it is valid.
 */
export async function allowedLinks(services: ConsoleServices): Promise<AllowedLinks> {
  const { licencePublicKey } = services.config;
  if (licencePublicKey === undefined) return { ...community, links: null };
  const { id, auth_code: code } = await readRow(services);
  const licence = code === null ? undefined : await enteredLicence(code, licencePublicKey);
  if (licence?.installation !== id) return { ...community, links: freeLinks };
  const { edition, links, from, to } = licence;
  const now = services.now();
  if (now >= from - clockTolerance && now < to) return { edition, links, from, to, ended: null };
  return { ...community, links: freeLinks, ended: now < to ? null : to };
}

/** The code was valid when it was entered; it no longer counts if the operator changes to another seller's key. */
function enteredLicence(code: string, publicKey: string): Promise<SignedLicence | undefined> {
  return verifyAuthCodeAnyTime(code, publicKey).catch(() => undefined);
}

/** What this installation is allowed to run, and what its owner sends to the seller for more. */
export async function installationOf(services: ConsoleServices): Promise<Installation> {
  const { id } = await readRow(services);
  const used = await services.usedLinks();
  return { applyCode: writeApplyCode({ installation: id, used }), used, ...(await allowedLinks(services)) };
}

/** Stores an authorization code; the one entered last counts. @throws ConsoleError when it is not valid here and now */
export async function installLicence(services: ConsoleServices, code: string): Promise<Installation> {
  const known = await readRow(services);
  const text = code.replace(/\s/g, '');
  await checkCode(services, known, text);
  await services.database.run('UPDATE installation SET auth_code = $1', [text]);
  return installationOf(services);
}
