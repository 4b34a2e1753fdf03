import { defineConfig } from 'vitest/config';

// What the mutation tester runs: the tests of the rooms it was asked for (`run.ts` names them), without the browser.
const rooms = process.env.MUTANTS_ROOMS?.split(',') ?? ['server'];
// Middleware is entered by the front door: through the site's app.
const app = ['app', 'bad-input', 'csp-report', 'headers', 'proxy/calls'].map((name) => `server/site/${name}.test.ts`);

export default defineConfig({
  test: {
    include: [...rooms.map((room) => `${room}/**/*.test.ts`), ...(rooms.includes('server/http') ? app : [])],
    // It looks at a process of its own, where no fault is switched on.
    exclude: ['server/site/heap.test.ts'],
    testTimeout: 40_000,
    hookTimeout: 60_000,
  },
});
