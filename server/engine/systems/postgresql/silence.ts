import { Socket } from 'node:net';
import type pg from 'pg';
import { EngineError } from '../../errors.ts';
import { engineError } from './errors.ts';

/** How often a session is checked, in milliseconds. */
const lookMs = 10_000;
/** Consecutive checks without a byte of an answer, before the server is asked whether it answers at all. */
const quietLooks = 2;
/** How many of those questions go unanswered before the session is given up. */
const mostUnanswered = 2;

/**
 * Ends a session whose server, or a proxy in front of it, keeps the connection open but no longer answers anyone; the
 * operating system does not report that. A statement may run as long as it needs, so another session is opened to find
 * out.
 * @param ask signs in with a separate session, and ends it
 */
export function watchSilence(session: pg.Client, side: 'source' | 'target', ask: () => Promise<void>): void {
  const { stream } = session.connection;
  if (!(stream instanceof Socket)) return;
  let asked = stream.bytesWritten;
  let heard = stream.bytesRead;
  let quiet = 0;
  let isAsking = false;
  // Everything asked so far has been answered.
  session.on('drain', () => {
    asked = stream.bytesWritten;
  });
  const isWaiting = () => stream.bytesWritten > asked && stream.bytesRead === heard && !stream.destroyed;
  const look = async () => {
    if (isAsking) return;
    quiet = isWaiting() ? quiet + 1 : 0;
    heard = stream.bytesRead;
    if (quiet < quietLooks) return;
    isAsking = true;
    for (let unanswered = 0; isWaiting() && (await isUnanswered(ask)); )
      if (++unanswered === mostUnanswered) stream.destroy(new EngineError('CONNECTION_TIMED_OUT', { side }));
    isAsking = false;
    quiet = 0;
  };
  const timer = setInterval(() => void look(), lookMs).unref();
  session.once('end', () => clearInterval(timer));
}

/** A refusal counts as an answer. */
async function isUnanswered(ask: () => Promise<void>): Promise<boolean> {
  try {
    await ask();
    return false;
  } catch (error) {
    return engineError(error).code === 'CONNECTION_TIMED_OUT';
  }
}
