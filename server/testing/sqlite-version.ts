import type { ProvedSystem } from '../engine/contract/proof.ts';

const version = process.versions.sqlite ?? 'unknown';

/** The SQLite of this Node.js, for what a test proves. */
export const sqliteVersion: ProvedSystem = { family: 'sqlite', release: version.replace(/\..*/, ''), version };
