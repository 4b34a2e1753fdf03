import { join, resolve } from 'node:path';

/** The repository's folder, wherever the command was typed. */
export const root = resolve(import.meta.dirname, '../..');

/** @param {...string} parts */
export const inRoot = (...parts) => join(root, ...parts);
