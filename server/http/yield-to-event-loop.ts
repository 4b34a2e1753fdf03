import { setImmediate as nextTurn } from 'node:timers/promises';

/** The event loop accepts one connection per turn: this many newcomers can enter between two heavy tasks. */
const turns = 8;

/** Yields to the event loop, so fast work is done before the caller continues. */
export async function yieldToEventLoop(): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
}
