import { z } from 'zod';
import { errorMessage } from '../error-message.ts';
import { type ClosingSend, MessageRefused, SendingStopped } from './message.ts';

/** For connection and greeting; a server that defends itself against spam may let one wait for half a minute. */
const connectMs = 40_000;
/** For everything; some servers search a mail for viruses before they accept it. */
const waitMs = 120_000;

/** What the driver's errors say about the server's answer. */
const answerSchema = z.object({
  command: z.string().default(''),
  responseCode: z.number().optional(),
  response: z.string().default(''),
});

/**
 * Mails by SMTP.
 * @param url e.g. `smtps://user:password@mail.example.com`
 * @param from e.g. `Millrace <no-reply@example.com>`
 * @param limits in milliseconds, for tests
 */
export async function mailSender(url: string, from: string, limits = { connectMs, waitMs }): Promise<ClosingSend> {
  // Only if there is a mail server: loading it takes a tenth of the start time.
  const { default: nodemailer } = await import('nodemailer');
  const transport = nodemailer.createTransport({ url, connectionTimeout: limits.connectMs }, { from });
  const closing = new AbortController();
  return Object.assign(
    async ({ to, subject, text, html }: Parameters<ClosingSend>[0]) => {
      const late = AbortSignal.timeout(limits.waitMs);
      const signal = AbortSignal.any([late, closing.signal]);
      try {
        await transport.sendMail({ to, subject, text, ...(html !== undefined && { html }), signal });
      } catch (error) {
        if (closing.signal.aborted) throw new SendingStopped();
        throw late.aborted ? new Error('The mail server did not accept the mail in time.') : notTaken(error);
      }
    },
    {
      close() {
        closing.abort();
        transport.close();
      },
    },
  );
}

/** The server's words without addresses, for the log; the driver's own error names the recipient in three places. */
function notTaken(error: unknown): Error {
  const words = errorMessage(error).replace(/[^\s<>]+@[^\s<>]+/g, '(address)');
  return new (isOfMessage(error) ? MessageRefused : Error)(`The mail was not accepted: ${words}`);
}

/**
 * Whether a server refused the recipient or the content, and not the connection, the sign-in or the sender, which all
 * mails share. 421 ends the connection, and 4.3 is the mail system's own state, such as a full disk (RFC 3463).
 */
function isOfMessage(error: unknown): boolean {
  const answer = answerSchema.safeParse(error).data;
  if (answer?.command === 'API') return true;
  if (answer?.responseCode === undefined || !['RCPT TO', 'DATA'].includes(answer.command)) return false;
  return answer.responseCode !== 421 && !/^4\d\d[ -]4\.3\./.test(answer.response);
}
