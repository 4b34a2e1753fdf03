import type { Request } from 'express';
import type { KeyGroup } from '../../../client/contract/jobs/key-groups.ts';
import { findSession, isLive, type Session } from '../../console/account/sessions.ts';
import { ConsoleError } from '../../console/errors.ts';
import { isSignedQuery } from '../../http/api-key.ts';
import { contextOf } from '../../http/request-context.ts';
import { mayHaveJobs, requireJobs } from '../access.ts';
import { JobError } from '../errors.ts';
import { isInForce, type KeyRow, keyOfBearer, keyOfSignature, requireGroup } from '../keys/keys.ts';
import { readSignedQuery } from '../keys/signature.ts';
import type { JobServices } from '../services.ts';
import type { Caller } from './define-job-call.ts';

/** How a call proves who makes it; with a key, the answer also gets the envelope. */
export type Proof = { kind: 'session'; uid: string; session: Session } | { kind: 'key'; uid: string; key: KeyRow };

/** Who makes a call. @throws ConsoleError SIGNED_OUT; JobError when a key or a signature is not right */
export async function prove(services: JobServices, req: Request): Promise<Proof> {
  const { query, address } = contextOf(req);
  if (isSignedQuery(query)) {
    const signed = readSignedQuery(query);
    if (!signed)
      throw new JobError(
        'MISSING_PARAMETER',
        'The signature needs AccessKeyId, SignatureMethod, SignatureNonce and Signature.',
      );
    const key = await keyOfSignature(services, signed, address);
    return { kind: 'key', uid: key.uid, key };
  }
  const token = bearer(req);
  if (token?.includes('.')) {
    const key = await keyOfBearer(services, token, address);
    return { kind: 'key', uid: key.uid, key };
  }
  const session = await findSession(services.database, token, services.now());
  if (!session) throw new ConsoleError('SIGNED_OUT');
  return { kind: 'session', uid: session.uid, session };
}

/** Refuses accounts without jobs, and keys that are limited to other calls. @throws JobError */
export async function requireAccess(services: JobServices, proof: Proof, group: KeyGroup): Promise<void> {
  await requireJobs(services, proof.uid);
  if (proof.kind === 'key') requireGroup(proof.key, group);
}

/** Whether a call's proof still holds during its answer: a session may end, a key or an admission be revoked. */
export async function isStillProved(services: JobServices, proof: Proof): Promise<boolean> {
  const { database, now } = services;
  const stands =
    proof.kind === 'key' ? await isInForce(database, proof.key, now()) : await isLive(database, proof.session, now());
  return stands && (await mayHaveJobs(services, proof.uid));
}

function bearer(req: Request): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(req.headers.authorization ?? '')?.[1];
}

export function callerOf(proof: Proof): Caller {
  const by =
    proof.kind === 'key'
      ? ({ kind: 'key', name: proof.key.name } as const)
      : ({ kind: 'session', id: proof.session.id } as const);
  return { uid: proof.uid, by };
}
