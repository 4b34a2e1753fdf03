import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { askUntilClosed } from '../../../server/testing/ask-until-closed.ts';
import { beginCall } from '../../../server/testing/begin-call.ts';
import { startUpstream } from '../../../server/testing/upstream.ts';
import { newAccount } from '../../e2e/console/account.ts';
import { startSite } from '../../e2e/site.ts';
import { type Attack, atMost, exactly } from './attack.ts';

const rounds = 100;
/** Sites run in parallel, since a site mostly waits while it starts and stops. */
const sideBySide = 2;
const keptConnections = 40;
const keptCallers = 10;
const newcomersAtATime = 10;

/** Opens a connection per request until the server refuses. @returns how many responses were incomplete */
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
  embedded: boolean;
  lost: number;
  seconds: number;
}

/** Adds a job that runs whenever the data folder's backend does. */
async function leaveJob(dataDir: string): Promise<void> {
  const site = await startSite({ dataDir, silent: true, env: { ALLOW_PLAIN_PASSWORD: 'on' } });
  const account = await newAccount(site, 'ada@site.example');
  await account.ask(jobCalls.createPractice, z.unknown());
  await site.stop();
}

/** @param upstreamUrl the backend behind the site; by default its own */
async function stopUnderLoad(dataDir: string, upstreamUrl: string | undefined): Promise<Stop> {
  const env = upstreamUrl === undefined ? {} : { API_BASE_URL: upstreamUrl };
  const site = await startSite({ dataDir, silent: true, env });
  const port = Number(new URL(site.url).port);
  const pages = Array.from({ length: keptConnections }, (_, index) =>
    askUntilClosed(port, index % 2 ? '/why' : `/nowhere${index}`),
  );
  const callers = Array.from({ length: keptCallers }, () => askUntilClosed(port, calls.listCountry, '{}'));
  const kept = [...pages, ...callers];
  await Promise.all(kept.map(({ first }) => first));
  const begun = await beginCall(port, calls.listCountry);
  const newcomers = Array.from({ length: newcomersAtATime }, () => comeUntilRefused(port));
  const ended = once(site.process, 'exit');
  const signalledAt = performance.now();
  site.process.kill('SIGTERM');
  const turnedAway = (await Promise.all(newcomers)).reduce((sum, lost) => sum + lost, 0);
  // No new connections are accepted; running requests still get their responses.
  const callLost = (await begun.finish()).startsWith('HTTP/1.1 200 ') ? 0 : 1;
  await ended;
  const seconds = (performance.now() - signalledAt) / 1000;
  const unanswered = (await Promise.all(kept.map(({ closed }) => closed))).filter((one) => one.unanswered).length;
  const asked = await Promise.all(callers.map(({ closed }) => closed));
  const failed = asked.filter(({ statuses }) => [...statuses].some((status) => status !== '200')).length;
  return { embedded: upstreamUrl === undefined, lost: unanswered + failed + turnedAway + callLost, seconds };
}

/** Stops one site after another, alternately in front of another backend and with its own. */
async function stopInTurn(times: number): Promise<Stop[]> {
  const upstream = await startUpstream();
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-stops-'));
  const seen: Stop[] = [];
  try {
    await leaveJob(dataDir);
    while (seen.length < times) seen.push(await stopUnderLoad(dataDir, seen.length % 2 ? upstream.url : undefined));
    return seen;
  } finally {
    await upstream.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function resultsOf(kind: string, seen: readonly Stop[]) {
  const what = `${seen.length} stops under load, ${kind}`;
  const longest = Math.max(...seen.map(({ seconds }) => seconds));
  const lost = seen.reduce((sum, stop) => sum + stop.lost, 0);
  return [
    exactly(what, 'started requests that were lost', lost, 0),
    atMost(what, 'seconds, the longest', Number(longest.toFixed(1)), 10),
  ];
}

/** SIGTERM while requests run on kept and on new connections. */
export const stops: Attack = {
  name: 'stops',
  async run() {
    const seen = (await Promise.all(Array.from({ length: sideBySide }, () => stopInTurn(rounds / sideBySide)))).flat();
    return [
      ...resultsOf(
        'before another backend',
        seen.filter(({ embedded }) => !embedded),
      ),
      ...resultsOf(
        'with its own backend and a job',
        seen.filter(({ embedded }) => embedded),
      ),
    ];
  },
};
