import { join } from 'node:path';
import type { ConsoleConfig } from '../config/console.ts';
import { errorMessage } from '../error-message.ts';
import type { Log } from '../log.ts';
import { RecurringFault } from '../recurring-fault.ts';
import { mailSender } from './mail.ts';
import { ChannelDown, MessageRefused, type Send, SendingStopped } from './message.ts';
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
  const outbox = telling('messages for the outbox', outboxSender(join(config.dataDir, 'outbox'), log), log);
  const from = config.mailFrom ?? `${brandName} <no-reply@${new URL(config.publicUrl).hostname}>`;
  const mail = config.smtpUrl === undefined ? undefined : await mailSender(config.smtpUrl, from);
  const sms = config.smsUrl === undefined ? undefined : smsSender(config.smsUrl, config.smsToken);
  const sendMail = mail ? telling('mails', mail, log) : outbox;
  const sendSms = sms ? telling('messages by SMS', sms, log) : outbox;
  return {
    send: (message) => (message.channel === 'mail' ? sendMail : sendSms)(message),
    close() {
      mail?.close();
      sms?.close();
    },
  };
}

/** Logs a failing channel once a minute, and when messages are accepted again. */
function telling(what: string, way: Send, log: Log): Send {
  const fault = new RecurringFault(log, {
    lasts: `${what} are not accepted: they wait and are sent when one is accepted`,
    over: `${what} are accepted again`,
  });
  return async (message) => {
    try {
      await way(message);
    } catch (cause) {
      if (cause instanceof SendingStopped) throw cause;
      if (cause instanceof MessageRefused) {
        fault.succeeded();
        throw cause;
      }
      fault.failed(cause);
      throw new ChannelDown(errorMessage(cause), { cause });
    }
    fault.succeeded();
  };
}
