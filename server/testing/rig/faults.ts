import type { Held } from './network.ts';
import type { Servers } from './pair.ts';
import type { Scene } from './phases.ts';

/** How long a slow connection delays its data, in milliseconds. */
const slowMs = 5;

/** Something that happens to a job while one of its messages is held. */
export interface Fault {
  name: string;
  /** Whether the job runs under a web process. */
  needsService?: boolean;
  strike(scene: Scene & { servers: Servers }, held: Held): Promise<void>;
}

export const faults: readonly Fault[] = [
  {
    name: 'kill -9 of the job',
    async strike({ runner }, held) {
      await runner.killJob();
      held.release('cut');
    },
  },
  {
    name: 'kill -9 of the web process',
    needsService: true,
    async strike({ runner }, held) {
      await runner.killService();
      held.release('cut');
    },
  },
  { name: 'kill -9 of the source', strike: (scene, held) => killServer(scene, 'source', held) },
  { name: 'kill -9 of the target', strike: (scene, held) => killServer(scene, 'target', held) },
  {
    name: 'connections cut',
    async strike({ pair }, held) {
      held.release('cut');
      pair.network.cut();
    },
  },
  {
    name: 'connections slow',
    async strike({ pair }, held) {
      pair.network.delay(slowMs);
      held.release('pass');
      await pair.untilCaughtUp();
      pair.network.delay(0);
    },
  },
  {
    name: 'answers lost',
    async strike({ pair }, held) {
      const isAnswer = held.from === 'server';
      const lost = pair.network.loseAnswers(isAnswer ? undefined : held.connection);
      held.release(isAnswer ? 'lose' : 'pass');
      // The job's request reaches the server, but its answer is lost.
      if (!isAnswer) await lost;
      pair.network.cut();
    },
  },
];

async function killServer(
  { runner, servers }: Scene & { servers: Servers },
  side: keyof Servers,
  held: Held,
): Promise<void> {
  runner.holdBack();
  const restarted = servers[side].killAndRestart();
  held.release('cut');
  await restarted;
  runner.goOn();
}
