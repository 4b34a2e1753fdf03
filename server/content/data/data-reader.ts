import { join } from 'node:path';
import type { z } from 'zod';
import { isThere } from '../confine.ts';
import type { Fault } from '../fault.ts';
import { type DataFile, type DataFolders, readDataFile } from './read-data-file.ts';
import { type WrittenAddress, writtenLinks } from './written-addresses.ts';

/** What is checked in an operator's own file besides its schema. */
export interface Checks<T> {
  /** The addresses that the file contains; default: every `href` and `document`. */
  addressesOf?: (file: string, read: DataFile<T>) => WrittenAddress[];
  faultsOf?: (file: string, read: DataFile<T>) => Fault[];
}

/** Reads data files, falls back to the built-in ones, and collects their faults. */
export interface DataReader {
  /**
   * The operator's file, otherwise the built-in one.
   * @throws when a built-in file is faulty
   */
  read<T>(name: string, schema: z.ZodType<T>, checks?: Checks<T>): T;
  /** True when the operator has a file of this name, or the built-in folder is the operator's. */
  isOwn(name: string): boolean;
  /** The built-in file, even if the operator has one. */
  readBuiltIn<T>(name: string, schema: z.ZodType<T>): T;
  readonly faults: Fault[];
  /**
   * Addresses in the operator's own files: a built-in file may link to documents that another team's content does not
   * have.
   */
  readonly written: WrittenAddress[];
}

/** Creates a reader for one reading of all data files. */
export function createDataReader(folders: DataFolders): DataReader {
  const faults: Fault[] = [];
  const written: WrittenAddress[] = [];

  function readBuiltIn<T>(name: string, schema: z.ZodType<T>): T {
    const { value, faults } = readDataFile(name, schema, { ...folders, contentDir: folders.builtInDir });
    if (value !== undefined) return value;
    throw new Error(`${name}: ${faults.map(({ line, message }) => `line ${line}: ${message}`).join('; ')}`);
  }

  return {
    faults,
    written,
    readBuiltIn,
    isOwn: (name) => folders.contentDir === folders.builtInDir || isThere(join(folders.contentDir, name)),
    read(name, schema, { addressesOf = writtenLinks, faultsOf } = {}) {
      const read = readDataFile(name, schema, folders);
      faults.push(...read.faults);
      if (read.own) {
        written.push(...addressesOf(name, read));
        faults.push(...(faultsOf?.(name, read) ?? []));
      }
      return read.value ?? readBuiltIn(name, schema);
    },
  };
}
