import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Table } from '../table.ts';
import { batchContract } from './sink-batches.ts';
import { checkpointContract } from './sink-checkpoint.ts';
import { chunkContract } from './sink-chunks.ts';
import type { SinkHarness } from './sink-harness.ts';
import { modelContract } from './sink-model-changes.ts';
import { parkingContract } from './sink-parking.ts';
import { TestedSink } from './tested-sink.ts';

/** Declares the tests that every sink whose rows and mark commit together must pass. */
export function sinkContract(family: string, fresh: () => Promise<SinkHarness>): void {
  describe(`sink contract: ${family}`, () => {
    let tested: TestedSink;
    const parts = () => tested;

    beforeEach(async ({ task }) => {
      const harness = await fresh();
      task.meta.proves = { kind: 'side', system: harness.system, side: 'target' };
      tested = await TestedSink.open(harness);
    });

    afterEach(() => tested.close());

    modelContract(parts);
    checkpointContract(family, parts);
    batchContract(parts);
    chunkContract(parts);
    parkingContract(parts);

    test('the check reports a missing table, column or key', async () => {
      const { sink, target } = parts();
      const good = target('plain');
      const faults = async (table: Table) =>
        (await sink.check([table])).filter(({ result }) => result === 'fault').map(({ type }) => type);
      expect(await faults(good)).toEqual([]);
      expect(await faults({ ...good, name: 'other' })).toEqual(['STRUCT_EXISTENCE']);
      const column = { name: 'more', type: 'text', nullable: true, generated: false };
      expect(await faults({ ...good, columns: [...good.columns, column] })).toEqual(['STRUCT_EXISTENCE']);
      expect(await faults({ ...good, key: [1] })).toEqual(['STRUCT_TABLE_PK']);
    });
  });
}
