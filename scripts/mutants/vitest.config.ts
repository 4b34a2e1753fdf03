import { defineConfig } from 'vitest/config';

// The mutation tester's tests: those of the requested rooms (`run.ts` names them), without the browser.
const rooms = process.env.MUTANTS_ROOMS?.split(',') ?? ['server'];
// Middleware is tested through the site's app.
const app = ['app', 'bad-input', 'csp-report', 'headers', 'proxy/calls'].map((name) => `server/site/${name}.test.ts`);

export default defineConfig({
  test: {
    include: [...rooms.map((room) => `${room}/**/*.test.ts`), ...(rooms.includes('server/http') ? app : [])],
    // It tests a separate process, in which no fault is active.
    exclude: ['server/site/heap.test.ts'],
    testTimeout: 40_000,
    hookTimeout: 60_000,
  },
});
