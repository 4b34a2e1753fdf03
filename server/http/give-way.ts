import { setImmediate as nextTurn } from 'node:timers/promises';

/** The event loop accepts one connection a turn: so many newcomers come in between two heavy tasks. */
const turns = 8;

/** Lets the event loop come round, so that whatever is quick is done before the caller's work goes on. */
export async function giveWay(): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
}
