import type { Pair } from './pair.ts';
import type { Runner } from './runner.ts';
import type { Seen } from './watcher.ts';

/** What a round works with. */
export interface Scene {
  pair: Pair;
  runner: Runner;
  /** Whether the job has been started; the first round is that of its first copy. */
  isStarted: boolean;
  /** A table's id at the source, a different one each time. */
  nextTable(): string;
}

/** A moment in a job's life at which it is struck. */
export interface Phase {
  name: string;
  /** Triggers it, if it does not occur on its own. */
  begin?(scene: Scene): Promise<void>;
  /** The first matching message is held while the fault happens. */
  wants(seen: Seen, isInsideSlice: boolean): boolean;
}

/** A new phase of the rig is a line here. */
export const phases: readonly Phase[] = [
  {
    name: 'copying',
    begin: copy,
    wants: (seen) => seen.kind === 'commit' && seen.transaction.of === 'chunk' && seen.transaction.hasRows,
  },
  {
    name: 'catching up',
    begin: copy,
    wants: (seen) => seen.kind === 'committed' && seen.transaction.isLastChunk,
  },
  { name: 'live', wants: (seen) => seen.kind === 'row' },
  {
    name: 'inside a slice',
    begin: ({ pair, runner }) => pair.writeLarge(runner.largeTransaction),
    wants: (seen, isInsideSlice) => seen.kind === 'begin' && isInsideSlice,
  },
  {
    name: 'between write and COMMIT',
    wants: (seen) => seen.kind === 'commit' && seen.transaction.of === 'changes' && seen.transaction.hasRows,
  },
  {
    name: 'COMMIT sent but unanswered',
    wants: (seen) => seen.kind === 'committed' && seen.transaction.of === 'changes' && seen.transaction.hasRows,
  },
  {
    name: 'while parking',
    begin: ({ pair }) => pair.writeRefused(),
    wants: (seen) => seen.kind === 'commit' && seen.transaction.parks,
  },
  { name: 'before acknowledging', wants: (seen) => seen.kind === 'acknowledgement' },
];

/** The first copy, or a table that is copied again. */
async function copy(scene: Scene): Promise<void> {
  if (scene.isStarted) await scene.runner.resync(scene.nextTable());
}
