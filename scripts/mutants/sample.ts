import { createHash } from 'node:crypto';

/** What Stryker passes to a checker about a fault. */
interface Mutant {
  id: string;
  fileName: string;
  replacement: string;
  location: { start: { line: number; column: number } };
}

type Verdict = { status: 'passed' } | { status: 'compileError'; reason: string };

/**
 * Stryker's plugin for a sample: a checker that lets MUTANTS_SAMPLE faults through, drawn by MUTANTS_SEED, and leaves the
 * others out of the score. Each fault has its own place in the draw, so that an edit elsewhere does not change it.
 */
class Sample {
  async init(): Promise<void> {}

  /** All at once, since the sample is drawn from all. */
  async group(mutants: readonly Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants: readonly Mutant[]): Promise<Record<string, Verdict>> {
    const drawn = new Set(
      mutants
        .map((mutant) => ({ id: mutant.id, place: placeOf(mutant) }))
        .sort((one, other) => one.place.localeCompare(other.place))
        .slice(0, Number(process.env.MUTANTS_SAMPLE))
        .map(({ id }) => id),
    );
    return Object.fromEntries(
      mutants.map(({ id }): [string, Verdict] => [
        id,
        drawn.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
      ]),
    );
  }
}

function placeOf({ fileName, replacement, location: { start } }: Mutant): string {
  const path = fileName.replace(/.*[/\\](?=server[/\\])/, '');
  return createHash('sha256')
    .update([process.env.MUTANTS_SEED, path, start.line, start.column, replacement].join('\n'))
    .digest('hex');
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }];
