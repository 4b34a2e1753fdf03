import type { ProvedSystem } from '../engine/contract/proof.ts';

const version = process.versions.sqlite ?? 'unknown';

/** This Node.js version's SQLite, to record what a test proves. */
export const sqliteVersion: ProvedSystem = { family: 'sqlite', release: version.replace(/\..*/, ''), version };
