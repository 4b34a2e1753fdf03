import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import type { ConsoleConfig } from '../config/console.ts';
import { cards } from '../engine/systems/cards.ts';
import type { Log } from '../log.ts';
import { programPath } from '../program-path.ts';
import { openAsk } from './ask.ts';
import { childEnv } from './child-env.ts';
import { openDamageLog } from './damage.ts';
import type { Jobs } from './services.ts';

/** What the modules of jobs share. */
export function openJobs(config: ConsoleConfig, log: Log): Jobs {
  const filesDir = resolve(config.dataDir, 'files');
  const env = childEnv(config);
  const stopping = new AbortController();
  const waking = new EventEmitter().setMaxListeners(0);
  return {
    cards,
    ask: openAsk({ script: programPath('engine/answer'), env, log, stopping: stopping.signal }),
    wake: () => void waking.emit('wake'),
    onWake(woken) {
      waking.on('wake', woken);
      return () => waking.off('wake', woken);
    },
    nameDamage: openDamageLog(log),
    filesDir,
    childEnv: env,
    childScript: programPath('engine/main'),
    stopping,
  };
}
