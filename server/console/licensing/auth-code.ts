import { decodeJwt, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { editions } from '../../../client/contract/console/orders.ts';
import type { SigningKey } from './licence-key.ts';

/** What an authorization code allows. */
const licence = z.object({
  jti: z.string(),
  installation: z.string(),
  edition: z.enum(editions),
  links: z.int().positive(),
  /** Epoch seconds. */
  nbf: z.number(),
  exp: z.number(),
  replaces: z.array(z.string()).default([]),
});

export interface SignedLicence {
  id: string;
  installation: string;
  edition: (typeof editions)[number];
  links: number;
  /** Epoch milliseconds. */
  from: number;
  to: number;
  /** Ids of licences whose remaining value went into this one: their codes no longer count. */
  replaces: readonly string[];
}

const type = 'licence+jwt';

/** How far an installation's clock may be behind the seller's, in milliseconds: codes are valid from their creation. */
export const clockTolerance = 5 * 60_000;

const jwkSchema = z.looseObject({ kty: z.string(), crv: z.string(), x: z.string() });

/** Signs an authorization code: a compact JWS (EdDSA). */
export function signAuthCode(
  { id, installation, edition, links, from, to, replaces }: SignedLicence,
  signing: SigningKey,
): Promise<string> {
  return new SignJWT({ installation, edition, links, ...(replaces.length > 0 && { replaces }) })
    .setProtectedHeader({ alg: 'EdDSA', kid: signing.kid, typ: type })
    .setJti(id)
    .setNotBefore(Math.floor(from / 1000))
    .setExpirationTime(Math.floor(to / 1000))
    .sign(signing.key);
}

/**
 * Verifies an authorization code offline.
 * @param publicKey JWK in JSON
 * @param at epoch milliseconds
 * @throws with a sentence when the signature, the time or the content is wrong
 */
export async function verifyAuthCode(code: string, publicKey: string, at: number): Promise<SignedLicence> {
  const key: JWK = jwkSchema.parse(JSON.parse(publicKey));
  const { payload } = await jwtVerify(code.replace(/\s/g, ''), await importJWK(key, 'EdDSA'), {
    algorithms: ['EdDSA'],
    typ: type,
    currentDate: new Date(at),
    clockTolerance: clockTolerance / 1000,
  });
  const { jti, installation, edition, links, nbf, exp, replaces } = licence.parse(payload);
  return { id: jti, installation, edition, links, from: nbf * 1000, to: exp * 1000, replaces };
}

/**
 * Verifies everything in an authorization code except its time.
 * @throws when the signature or the content is wrong
 */
export function verifyAuthCodeAnyTime(code: string, publicKey: string): Promise<SignedLicence> {
  const { nbf } = licence.pick({ nbf: true }).parse(decodeJwt(code));
  return verifyAuthCode(code, publicKey, nbf * 1000);
}
