import nodemailer from 'nodemailer';
import { errorMessage } from '../error-message.ts';
import type { Send } from './message.ts';

const waitMs = 20_000;

/** Mails by SMTP. @param url e.g. `smtps://user:password@mail.example.com`; @param from e.g. `Millrace <no-reply@example.com>` */
export function mailSender(url: string, from: string): Send & { close(): void } {
  const transport = nodemailer.createTransport(url, { from });
  return Object.assign(
    async ({ to, subject, text, html }: Parameters<Send>[0]) => {
      const limit = AbortSignal.timeout(waitMs);
      const sending = transport.sendMail({ to, subject, text, ...(html !== undefined && { html }) });
      const late = new Promise((_resolve, reject) =>
        limit.addEventListener('abort', () => reject(limit.reason), { once: true }),
      );
      await Promise.race([sending, late]).catch((error: unknown) => {
        throw notTaken(error);
      });
    },
    { close: () => transport.close() },
  );
}

/** The server's words without addresses: they end in the log, and the driver's own error names the recipient in three places. */
function notTaken(error: unknown): Error {
  const words = errorMessage(error);
  return new Error(`The mail was not taken: ${words.replace(/[^\s<>]+@[^\s<>]+/g, '(address)')}`);
}
