import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { connectTarget } from '../../../../client/contract/console/sso.ts';
import { findSession } from '../../account/sessions.ts';
import { ConsoleError } from '../../errors.ts';
import { startSignIns } from '../../sso/start.ts';
import { publicCall } from '../define-call.ts';
import { line } from '../fields.ts';

/** It is part of an address, whose length is limited. */
const mostKept = 200;

const body = z.strictObject({ source: line(1024).default(''), target: line(64).default('') });

/** Where a sign-in with each configured provider starts; for a session with the connect target, where connecting does. */
export const ssoType = publicCall(calls.ssoType, body, async ({ body, token }, services) => {
  const about = { source: body.source.slice(0, mostKept), target: body.target };
  if (body.target !== connectTarget) return startSignIns(services, about);
  const session = await findSession(services.database, token, services.now());
  if (!session) throw new ConsoleError('SIGNED_OUT');
  return startSignIns(services, { ...about, uid: session.uid });
});
