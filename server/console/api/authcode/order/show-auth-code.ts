import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { calls } from '../../../../../client/contract/calls.ts';
import { accountOf } from '../../../account/accounts.ts';
import { takeCode } from '../../../account/codes.ts';
import { mailTarget, smsTarget } from '../../../account/targets.ts';
import { ConsoleError } from '../../../errors.ts';
import { orderOf } from '../../../licensing/orders.ts';
import { signedInCall } from '../../define-call.ts';
import { verifyCode, verifyType } from '../../fields.ts';
import { orderId } from './fields.ts';

const schema = z.strictObject({ orderId, verifyType, verifyCode });
const licenceRow = z.object({ id: z.string(), auth_code: z.string() });

/** Shows the authorization code of an issued order, given a code that was sent; each showing is recorded. */
export const showAuthCode = signedInCall(calls.showAuthCode, schema, async ({ session, body }, services) => {
  const { database, secretKey, now } = services;
  const order = await orderOf(database, body.orderId, session.uid);
  if (order.status !== 'ISSUED') throw new ConsoleError('ORDER_STATE');
  const account = await accountOf(database, session.uid);
  const address = body.verifyType === 'SMS_VERIFY_CODE' ? account?.phone : account?.email;
  const target = address && (body.verifyType === 'SMS_VERIFY_CODE' ? smsTarget(address) : mailTarget(address));
  const keyed = { secretKey, now: now() };
  if (!target || !(await takeCode(database, target, 'SHOW_AUTH_CODE', body.verifyCode, keyed))) {
    throw new ConsoleError('BAD_CODE');
  }
  const licence = await database.one(licenceRow, 'SELECT id, auth_code FROM licence WHERE order_id = $1', [order.id]);
  if (!licence) throw new Error(`The issued order ${order.id} has no licence.`);
  await database.run('INSERT INTO auth_code_showing (id, licence_id, uid, at) VALUES ($1, $2, $3, $4)', [
    randomUUID(),
    licence.id,
    session.uid,
    now(),
  ]);
  return { authCode: licence.auth_code };
});
