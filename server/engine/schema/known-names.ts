import type { Mark } from '../mark.ts';
import { nameOfShape } from './shape.ts';

/** The names that tables had when the job last carried them, by id; without those whose names others have by now. */
export function knownNames(tables: Mark['tables']): ReadonlyMap<string, string> {
  return new Map(
    [...tables].flatMap(([id, { shape, state }]) =>
      shape === null || state === 'removed' ? [] : [[id, nameOfShape(shape)] as const],
    ),
  );
}
