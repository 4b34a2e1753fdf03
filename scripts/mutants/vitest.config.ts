import { defineConfig } from 'vitest/config';

// What the mutation tester runs: the tests of the rooms it was asked for (`run.ts` names them), without the browser.
const rooms = process.env.MUTANTS_ROOMS?.split(',') ?? ['server'];
// Middleware is entered by the front door: through the site's app.
const tested = rooms.includes('server/http') ? [...rooms, 'server/site'] : rooms;

export default defineConfig({
  test: {
    include: tested.map((room) => `${room}/**/*.test.ts`),
    // Those look at a process of its own, where no fault is switched on.
    exclude: ['server/site/heap.test.ts'],
    testTimeout: 40_000,
    hookTimeout: 60_000,
  },
});
