import { defineConfig } from 'vitest/config';

// What the mutation tester runs: the tests of the rooms it was asked for (`run.ts` names them), without the browser.
const rooms = process.env.MUTANTS_ROOMS?.split(',') ?? ['server'];

export default defineConfig({
  test: { include: rooms.map((room) => `${room}/**/*.test.ts`), testTimeout: 60_000, hookTimeout: 60_000 },
});
