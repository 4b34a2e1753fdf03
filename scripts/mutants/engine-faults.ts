import type { PlantedFault } from './plant.ts';

const model = 'server/engine/contract/copy-and-follow.test.ts';
const pair = 'server/engine/postgres-pair.test.ts';
const driver = 'server/engine/systems/postgresql';

/** Each of these lost a row, or left a wrong one, somewhere. */
export const engineFaults: readonly PlantedFault[] = [
  {
    name: 'touched-keys-ignored',
    file: 'handover/touched.ts',
    old: 'const left = touches ? touches.reduce<Row | undefined>(leave, row) : row;',
    new: 'const left: Row | undefined = touches ? row : row;',
    tests: [model],
  },
  {
    name: 'acknowledged-when-received',
    file: 'flow/follow.ts',
    old: '        this.#batch.position = change.position;\n        this.#batch.committedAt',
    new: '        this.#batch.position = change.position;\n        this.#stream.acknowledge(change.position);\n        this.#batch.committedAt',
    tests: [model],
  },
  {
    name: 'slice-counted-after-routing',
    file: 'flow/follow.ts',
    old: '    open.messages++;\n',
    new: "    if (change.kind === 'row' && this.#job.tables.get(change.table.id)?.isSkipped) return;\n    open.messages++;\n",
    tests: [model],
  },
  {
    name: 'slice-not-written-down',
    file: 'flow/follow.ts',
    old: 'const slice = this.#open ? this.#open.messages : 0;',
    new: 'const slice = 0;',
    tests: [model],
  },
  {
    name: 'untold-cells-from-a-newer-row',
    file: 'flow/follow.ts',
    old: "if (table.mark.state !== 'live') moved.push(...movedRows(table, steps));",
    new: '',
    tests: [model],
  },
  {
    name: 'untold-cells-become-null',
    file: 'flow/route.ts',
    old: 'return told === UNCHANGED || told === undefined ? cell : told;',
    new: 'return told === UNCHANGED ? null : (told ?? cell);',
    tests: [model],
  },
  {
    name: 'resumed-without-resync',
    file: 'handover/table-requests.ts',
    old: "return isComplete ? { ...mark, state: 'catching-up', code: null } : resyncMark();",
    new: "return { ...mark, state: isComplete ? 'catching-up' : 'live', code: null };",
    tests: [model],
  },
  {
    name: 'resync-keeps-old-rows',
    file: 'handover/copy.ts',
    old: "table.mark.resync ? 'replace' : this.#job.spec.conflict",
    new: 'this.#job.spec.conflict',
    tests: [model],
  },
  {
    name: 'unseen-transactions-forgotten',
    file: 'handover/table-progress.ts',
    old: 'for (const transaction of unseen) table.touched.mustSee(transaction);',
    new: 'void unseen;',
    tests: [model],
  },
  {
    name: 'row-read-again-too-early',
    file: 'handover/reread.ts',
    old: 'because.every(({ transactions }) => transactions.every(chunk.sees))',
    new: 'because.length >= 0',
    tests: [model],
  },
  {
    name: 'live-before-the-stream-has-passed',
    file: 'handover/table-progress.ts',
    old: "if (state !== 'catching-up' || (liveAfter && !hasReached(position, liveAfter))) return undefined;",
    new: "if (state !== 'catching-up' || (liveAfter && !hasReached(position, position))) return undefined;",
    tests: [model],
  },
  {
    name: 'keys-forgotten-while-an-older-chunk-is-read',
    file: 'handover/copy.ts',
    old: '    if (others.size === 0) {',
    new: '    if (others.size >= 0) {',
    tests: [model],
  },
  {
    name: 'resync-deletes-newer-rows',
    file: 'handover/copy.ts',
    old: 'keep: settled.keep }',
    new: 'keep: [] }',
    tests: [model],
  },
  {
    name: 'no-epoch-check',
    file: 'systems/postgresql/mark.ts',
    old: 'WHERE job = $1 AND epoch = $2 RETURNING job`',
    new: 'WHERE job = $1 AND $2::bigint > 0 RETURNING job`',
    tests: [`${driver}/sink.test.ts`],
  },
  {
    name: 'deletes-last',
    file: 'systems/postgresql/apply.ts',
    old: "(['delete', 'update', 'upsert'] as const)",
    new: "(['update', 'upsert', 'delete'] as const)",
    tests: [`${driver}/apply.test.ts`],
  },
  {
    name: 'numbers-of-transactions-with-32-bits',
    file: 'systems/postgresql/snapshot.ts',
    old: 'const candidate = near - (near % whole) + BigInt(xid);',
    new: 'const candidate = near - near + BigInt(xid);\n  if (near >= 0n) return candidate;',
    tests: [`${driver}/snapshot.test.ts`],
  },
  {
    name: 'no-lock-before-the-snapshot',
    file: 'systems/postgresql/chunks.ts',
    old: ' IN ACCESS SHARE MODE`;',
    new: ' IN ACCESS SHARE MODE`.slice(0, 0);',
    tests: [`${driver}/chunks.test.ts`],
  },
  {
    name: 'added-default-not-carried',
    file: 'schema/watch.ts',
    old: '  await job.locks.with([table.id], () => resyncAs(job, table, route));\n',
    new: '  table.route = route;\n',
    tests: [pair],
  },
];
