import { join, resolve } from 'node:path';

/** The repository's folder, independent of the working directory. */
export const root = resolve(import.meta.dirname, '../..');

/** @param {...string} parts */
export const inRoot = (...parts) => join(root, ...parts);
