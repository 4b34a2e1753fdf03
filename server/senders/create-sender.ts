import { join } from 'node:path';
import type { ConsoleConfig } from '../config/console.ts';
import { errorMessage } from '../error-message.ts';
import type { Log } from '../log.ts';
import { RecurringFault } from '../recurring-fault.ts';
import { mailSender } from './mail.ts';
import { AddressRefused, type ClosingSend, NotTaken, type Send } from './message.ts';
import { outboxSender } from './outbox.ts';
import { smsSender } from './sms.ts';

type SenderConfig = Pick<ConsoleConfig, 'smtpUrl' | 'mailFrom' | 'smsUrl' | 'smsToken' | 'dataDir' | 'publicUrl'>;

/**
 * Sends each message by the channel that the operator has set up; without one, it goes to the outbox. A message still
 * being sent on close fails.
 */
export async function createSender(
  config: SenderConfig,
  brandName: string,
  log: Log,
): Promise<{ send: Send; close(): void }> {
  const outbox = outboxSender(join(config.dataDir, 'outbox'), log);
  const from = config.mailFrom ?? `${brandName} <no-reply@${new URL(config.publicUrl).hostname}>`;
  const mail = config.smtpUrl === undefined ? undefined : telling('mails', await mailSender(config.smtpUrl, from), log);
  const sms =
    config.smsUrl === undefined
      ? undefined
      : telling('messages by SMS', smsSender(config.smsUrl, config.smsToken), log);
  return {
    send: (message) => ((message.channel === 'mail' ? mail : sms) ?? outbox)(message),
    close() {
      mail?.close();
      sms?.close();
    },
  };
}

/** Logs a failing channel once a minute: while a mail server is down, hundreds of messages run into it. */
function telling(what: string, way: ClosingSend, log: Log): ClosingSend {
  const fault = new RecurringFault(log, {
    lasts: `${what} are not accepted: they wait and are retried`,
    over: `${what} are accepted again`,
  });
  const send: Send = async (message) => {
    try {
      await way(message);
    } catch (cause) {
      if (cause instanceof AddressRefused) {
        fault.succeeded();
        throw cause;
      }
      fault.failed(cause);
      throw new NotTaken(errorMessage(cause), { cause });
    }
    fault.succeeded();
  };
  return Object.assign(send, { close: () => way.close() });
}
