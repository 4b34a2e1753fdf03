import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{server,client,pages,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['server/{console,storage,senders}/**'],
          // The order says that slow browser tests do not compete with tests that measure or time something.
          sequence: { groupOrder: 0 },
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'console',
          include: ['server/{console,storage,senders}/**/*.test.ts'],
          globalSetup: ['server/testing/shared-postgres.ts'],
          sequence: { groupOrder: 0 },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['scripts/e2e/**/*.e2e.ts'],
          globalSetup: ['scripts/e2e/shared-site.ts'],
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
