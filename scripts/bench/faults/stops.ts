import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls } from '../../../client/contract/calls.ts';
import { askUntilClosed } from '../../../server/testing/ask-until-closed.ts';
import { startUpstream } from '../../../server/testing/upstream.ts';
import { startSite } from '../../e2e/site.ts';
import { type Attack, atMost, exactly } from './attack.ts';

const rounds = 100;
/** A site mostly waits while it starts and stops. */
const sideBySide = 2;
const keptConnections = 40;
const newcomersAtATime = 10;

/** Connects anew for each request until the server refuses connections. @returns requests whose answer did not come whole */
async function comeUntilRefused(port: number): Promise<number> {
  for (let lost = 0; ; ) {
    const outcome = await visit(port);
    if (outcome === 'refused') return lost;
    if (outcome === 'lost') lost += 1;
  }
}

function visit(port: number): Promise<'answered' | 'lost' | 'refused'> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let refused = false;
    let answer = '';
    socket.on('error', (error) => (refused ||= 'code' in error && error.code === 'ECONNREFUSED'));
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.once('close', () => {
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1]);
      const whole = answer.length === answer.indexOf('\r\n\r\n') + 4 + length;
      resolve(refused ? 'refused' : whole ? 'answered' : 'lost');
    });
    socket.write('GET /why HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  });
}

interface Stop {
  lost: number;
  seconds: number;
}

async function stopUnderLoad(dataDir: string, upstreamUrl: string, slowCall: () => Promise<unknown>): Promise<Stop> {
  const site = await startSite({ dataDir, silent: true, env: { API_BASE_URL: upstreamUrl } });
  const port = Number(new URL(site.url).port);
  const arrived = slowCall();
  const call = fetch(`${site.url}${calls.login}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  await arrived;
  const kept = Array.from({ length: keptConnections }, (_, index) =>
    askUntilClosed(port, index % 2 ? '/why' : `/nowhere${index}`),
  );
  await Promise.all(kept.map(({ first }) => first));
  const newcomers = Array.from({ length: newcomersAtATime }, () => comeUntilRefused(port));
  const ended = once(site.process, 'exit');
  const signalledAt = performance.now();
  site.process.kill('SIGTERM');
  await ended;
  const seconds = (performance.now() - signalledAt) / 1000;
  const unanswered = (await Promise.all(kept.map(({ closed }) => closed))).filter((one) => one.unanswered).length;
  const turnedAway = (await Promise.all(newcomers)).reduce((sum, lost) => sum + lost, 0);
  const callLost = await call.then(
    ({ status }) => (status === 200 ? 0 : 1),
    () => 1,
  );
  return { lost: unanswered + turnedAway + callLost, seconds };
}

/** Stops one site after the other, each with its own upstream, whose calls nobody else awaits. */
async function stopInTurn(times: number): Promise<Stop[]> {
  const upstream = await startUpstream();
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-stops-'));
  const seen: Stop[] = [];
  try {
    while (seen.length < times) seen.push(await stopUnderLoad(dataDir, upstream.url, () => upstream.next()));
    return seen;
  } finally {
    await upstream.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** SIGTERM while requests are under way on kept and on new connections. */
export const stops: Attack = {
  name: 'stops',
  async run() {
    const seen = (await Promise.all(Array.from({ length: sideBySide }, () => stopInTurn(rounds / sideBySide)))).flat();
    const what = `${seen.length} stops under load`;
    const longest = Math.max(...seen.map(({ seconds }) => seconds));
    const lost = seen.reduce((sum, stop) => sum + stop.lost, 0);
    return [
      exactly(what, 'started requests that were lost', lost, 0),
      atMost(what, 'seconds, the longest', Number(longest.toFixed(1)), 10),
    ];
  },
};
