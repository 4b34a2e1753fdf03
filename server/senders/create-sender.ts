import { join } from 'node:path';
import type { ConsoleConfig } from '../config/console.ts';
import type { Log } from '../log.ts';
import { mailSender } from './mail.ts';
import type { Send } from './message.ts';
import { outboxSender } from './outbox.ts';
import { smsSender } from './sms.ts';

type SenderConfig = Pick<ConsoleConfig, 'smtpUrl' | 'mailFrom' | 'smsUrl' | 'smsToken' | 'dataDir' | 'publicUrl'>;

/**
 * Sends each message the way the operator set up; what no way is set up for goes to the outbox. What is under way when
 * it is closed fails.
 */
export function createSender(config: SenderConfig, brandName: string, log: Log): { send: Send; close(): void } {
  const outbox = outboxSender(join(config.dataDir, 'outbox'), log);
  const from = config.mailFrom ?? `${brandName} <no-reply@${new URL(config.publicUrl).hostname}>`;
  const mail = config.smtpUrl === undefined ? undefined : mailSender(config.smtpUrl, from);
  const sms = config.smsUrl === undefined ? undefined : smsSender(config.smsUrl, config.smsToken);
  return {
    send: (message) => ((message.channel === 'mail' ? mail : sms) ?? outbox)(message),
    close() {
      mail?.close();
      sms?.close();
    },
  };
}
