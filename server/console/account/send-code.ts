import { counted } from '../../../client/contract/counted.ts';
import { ConsoleError } from '../errors.ts';
import { queueMessage } from '../messages/queue-message.ts';
import type { ConsoleServices } from '../services.ts';
import { findAccount } from './accounts.ts';
import { codeMessage, noCodeMessage } from './code-messages.ts';
import { type CodePurpose, codeLifeMs, countSending, createCode, resendMs } from './codes.ts';
import type { Target } from './targets.ts';

/** Whether a code for this purpose needs an account with the target, must not find one, or works with either. */
const wantsAccount: Record<CodePurpose, boolean | undefined> = {
  LOGIN: true,
  RESET_PASSWORD: true,
  SHOW_AUTH_CODE: true,
  REGISTER: false,
  UPDATE_EMAIL: false,
  SSO_REGISTER_BIND: undefined,
};

/**
 * Sends a code or, if it could open nothing, a message that says so; the answer is the same.
 * @throws ConsoleError CODE_WAIT with Retry-After when too many codes were sent to the target
 */
export async function sendCode(
  services: ConsoleServices,
  target: Target,
  purpose: CodePurpose,
): Promise<{ resendAfterMs: number }> {
  const { database, secretKey } = services;
  const keyed = { secretKey, now: services.now() };
  const wait = await countSending(database, target, purpose, keyed);
  if (wait > 0) throw new ConsoleError('CODE_WAIT', { headers: { 'Retry-After': String(wait) } }, whenAgain(wait));
  await database.transaction(async (queries) => {
    const account = await findAccount(queries, target);
    const exists = account !== undefined;
    const wanted = wantsAccount[purpose];
    const useful = wanted === undefined || wanted === exists;
    // Created in either case, so both take the same time; without a message no one learns the code.
    const code = await createCode(queries, target, purpose, keyed, !useful);
    const message = useful ? codeMessage(services, target, purpose, code) : noCodeMessage(services, target, purpose);
    await queueMessage(queries, services, message, { kind: 'code', uid: account?.uid }, codeLifeMs);
  });
  return { resendAfterMs: resendMs };
}

/** How long a person must wait who reached an hourly or daily limit; undefined after the last code. */
function whenAgain(seconds: number): string | undefined {
  if (seconds <= resendMs / 1000) return undefined;
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour');
  return `Too many codes were requested. The next one can be sent in ${wait}.`;
}
