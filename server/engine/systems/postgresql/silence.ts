import { Socket } from 'node:net';
import type pg from 'pg';
import { EngineError } from '../../errors.ts';
import { engineError } from './errors.ts';

/** How often a session is looked at, in milliseconds. */
const lookMs = 10_000;
/** Looks in a row without a byte of an answer, until the server is asked whether it answers anybody. */
const quietLooks = 2;
/** Answers to that question which do not come, until the session is given up. */
const mostUnanswered = 2;

/**
 * Ends a session whose server, or a proxy before it, keeps the connection open and answers nobody any more: the system
 * tells that of no connection. A statement may take as long as it likes, so another session is asked for.
 * @param ask signs in a session of its own, and ends it
 */
export function watchSilence(session: pg.Client, side: 'source' | 'target', ask: () => Promise<void>): void {
  const { stream } = session.connection;
  if (!(stream instanceof Socket)) return;
  let asked = stream.bytesWritten;
  let heard = stream.bytesRead;
  let quiet = 0;
  let isAsking = false;
  // Everything that was asked by then is answered.
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

/** A refusal is an answer too. */
async function isUnanswered(ask: () => Promise<void>): Promise<boolean> {
  try {
    await ask();
    return false;
  } catch (error) {
    return engineError(error).code === 'CONNECTION_TIMED_OUT';
  }
}
