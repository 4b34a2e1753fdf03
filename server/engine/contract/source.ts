import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readContract } from './source-chunks.ts';
import type { SourceHarness } from './source-harness.ts';
import { streamContract } from './source-stream.ts';
import { job, TestedSource } from './tested-source.ts';

/** Declares the tests that every source must pass. */
export function sourceContract(family: string, fresh: () => Promise<SourceHarness>): void {
  describe(`source contract: ${family}`, () => {
    let tested: TestedSource;
    const parts = () => tested;

    beforeEach(async ({ task }) => {
      const harness = await fresh();
      task.meta.proves = { kind: 'side', system: harness.system, side: 'source' };
      tested = await TestedSource.open(harness);
    });

    afterEach(() => tested.close());

    test('describes the tables with their keys', () => {
      const { tables } = parts();
      expect(tables.map(({ name }) => name).sort()).toEqual(['pair', 'plain']);
      for (const table of tables) {
        const key = table.key.map((column) => table.columns[column]?.name);
        expect(key).toEqual(table.name === 'plain' ? ['id'] : ['k1', 'k2']);
        expect(table.exactKey).toBe(true);
      }
    });

    streamContract(parts);
    readContract(parts);

    test('releasing a job leaves nothing behind, and can be repeated', async () => {
      const { harness, source, tables } = parts();
      await source.reserve(job, tables);
      await harness.write(["INSERT INTO plain (id, a) VALUES (1, 'x')"], 'COMMIT');
      expect(await harness.leftovers(job)).not.toEqual([]);
      await source.release(job);
      expect(await harness.leftovers(job)).toEqual([]);
      await source.release(job);
      await harness.write(["INSERT INTO plain (id, a) VALUES (2, 'x')"], 'COMMIT');
    });
  });
}
