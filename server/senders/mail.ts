import { errorMessage } from '../error-message.ts';
import { AddressRefused, type ClosingSend } from './message.ts';

const waitMs = 20_000;

/** Mails by SMTP. @param url e.g. `smtps://user:password@mail.example.com`; @param from e.g. `Millrace <no-reply@example.com>` */
export async function mailSender(url: string, from: string): Promise<ClosingSend> {
  // Only if there is a mail server: loading it takes a tenth of the start time.
  const { default: nodemailer } = await import('nodemailer');
  const transport = nodemailer.createTransport(url, { from });
  const closing = new AbortController();
  return Object.assign(
    async ({ to, subject, text, html }: Parameters<ClosingSend>[0]) => {
      const limit = AbortSignal.any([AbortSignal.timeout(waitMs), closing.signal]);
      const sending = transport.sendMail({ to, subject, text, ...(html !== undefined && { html }) });
      const late = new Promise((_resolve, reject) =>
        limit.addEventListener('abort', () => reject(limit.reason), { once: true }),
      );
      await Promise.race([sending, late]).catch((error: unknown) => {
        throw notTaken(error);
      });
    },
    {
      close() {
        closing.abort(new Error('the server is stopping'));
        transport.close();
      },
    },
  );
}

/** The server's words without addresses, for the log; the driver's own error names the recipient in three places. */
function notTaken(error: unknown): Error {
  const words = errorMessage(error).replace(/[^\s<>]+@[^\s<>]+/g, '(address)');
  const isOfAddress = error instanceof Error && 'command' in error && error.command === 'RCPT TO';
  return new (isOfAddress ? AddressRefused : Error)(`The mail was not accepted: ${words}`);
}
