import { z } from 'zod';
import { calls } from '../../../../../client/contract/calls.ts';
import { buyTimeStandard } from '../../../licensing/editions.ts';
import { signedInCall } from '../../define-call.ts';
import { edition, productType } from './fields.ts';

const schema = z.strictObject({ productType, edition });

/** The periods and numbers of links for which an edition is sold. */
export const getBuyTimeStandard = signedInCall(calls.getBuyTimeStandard, schema, async ({ body }, { pricing }) =>
  buyTimeStandard(body.edition, pricing),
);
