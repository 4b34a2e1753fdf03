import { z } from 'zod';
import { calls } from '../../../../../client/contract/calls.ts';
import { readApplyCode } from '../../../licensing/apply-code.ts';
import { findOldLicence } from '../../../licensing/old-resource.ts';
import { signedInCall } from '../../define-call.ts';
import { applyCode } from './fields.ts';

const schema = z.strictObject({ applyCode });

/** The current licence of the installation that an apply code names, or null. */
export const queryOldResource = signedInCall(
  calls.queryOldResource,
  schema,
  async ({ session, body }, { database, now }) => {
    const { installation } = readApplyCode(body.applyCode);
    const old = await findOldLicence(database, session.uid, installation, now());
    if (!old) return null;
    const { links, edition, from, to, remainMs } = old;
    return { links, edition, from, to, remainMs };
  },
);
