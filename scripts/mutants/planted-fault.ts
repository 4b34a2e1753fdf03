/** A fault of a line or two, and the tests that should catch it. */
export interface PlantedFault {
  name: string;
  /** Below the room's folder. */
  file: string;
  /** Occurs in the file exactly once. */
  old: string;
  new: string;
  /** Browser tests below scripts/e2e/ by name, others by path. */
  tests: readonly string[];
  /** Words of the titles of the tests that should catch it, if their files contain many others. */
  only?: string;
}
