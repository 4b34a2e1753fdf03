import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Results of newcomers, each on its own connection. */
export interface Met {
  /** Milliseconds from connecting to the first byte, for those that were not refused; sorted. */
  accepted: number[];
  refused: number;
  unanswered: number;
}

/** Sends a newcomer every `everyMs` until `until` is over, then waits for the last. */
export async function newcomers(port: number, path: string, everyMs: number, until: Promise<unknown>): Promise<Met> {
  const met: Met = { accepted: [], refused: 0, unanswered: 0 };
  const underway: Promise<void>[] = [];
  let over = false;
  const end = until.finally(() => (over = true));
  while (!over) {
    underway.push(visit(port, path, met));
    await pause(everyMs);
  }
  await Promise.all([end, ...underway]);
  met.accepted.sort((a, b) => a - b);
  return met;
}

function visit(port: number, path: string, met: Met): Promise<void> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    let status = '';
    socket.once('data', (chunk) => {
      status = chunk.toString('latin1').slice(9, 12);
      if (status === '503' || status === '429') met.refused += 1;
      else met.accepted.push(performance.now() - startedAt);
    });
    socket.on('data', () => undefined);
    // A failed connection counts as unanswered.
    socket.on('error', () => undefined);
    socket.setTimeout(20_000, () => socket.destroy());
    socket.once('close', () => {
      if (status === '') met.unanswered += 1;
      resolve();
    });
  });
}

export function percentile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}
