import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { patience } from './server/testing/patience.ts';

const shared = {
  // For a starved machine: nothing is timed by them.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: patience },
  // Built pages run as they are, not through vitest.
  server: { deps: { external: [/\/dist\/server\//] } },
  // Tests start hundreds of processes, which would spend most of their start on compiling.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled-code') },
};

// On a fresh clone vitest starts large files first; these are small, and alone at the end they keep one core idle.
const longest = [
  'server/engine/faults.test.ts',
  'server/backend/kills.test.ts',
  'server/site/bad-input.test.ts',
  'server/site/heap.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

// Each runs alone, by `--project`; `unit` and `site` together are the tests of the site.
export default defineConfig({
  test: {
    // Tests mostly wait: on two cores four more workers work meanwhile. All projects share the workers.
    maxWorkers: Math.max(6, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['{server,client,pages,scripts}/**/*.test.{ts,tsx}'],
          exclude: [
            // Tools that are installed for themselves bring tests of their own.
            ...configDefaults.exclude,
            'server/{backend,console,storage,senders,engine,jobs}/**',
            'server/testing/**',
            'scripts/operator/**',
            'scripts/evidence/statements.test.ts',
          ],
        },
      },
      {
        test: {
          ...shared,
          name: 'site',
          include: ['scripts/e2e/*.e2e.ts'],
          globalSetup: ['scripts/e2e/shared-site.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'console',
          include: [
            'server/{backend,console,storage,senders,testing}/**/*.test.ts',
            'scripts/operator/**/*.test.ts',
            'scripts/e2e/console/*.e2e.ts',
          ],
          // One cluster serves both: jobs on its pages follow changes.
          globalSetup: ['server/testing/shared-logical-postgres.ts'],
          setupFiles: ['server/testing/drop-databases.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'engine',
          include: ['server/{engine,jobs}/**/*.test.ts', 'scripts/evidence/statements.test.ts'],
          globalSetup: ['server/testing/shared-logical-postgres.ts'],
          setupFiles: ['server/testing/drop-databases.ts'],
        },
      },
      {
        test: {
          ...shared,
          // The same tests of the driver on the newest version.
          name: 'engine-18',
          include: ['server/engine/systems/postgresql/**/*.test.ts'],
          // Compares with pg_dump, which refuses a server newer than itself and is not in the package of 18.
          exclude: ['server/engine/systems/postgresql/structure/structure.test.ts'],
          globalSetup: ['server/testing/shared-logical-postgres-18.ts'],
          setupFiles: ['server/testing/drop-databases.ts'],
        },
      },
    ],
  },
});
