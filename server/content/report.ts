/** Faults as a text for a person: grouped by file, in the order of the lines, counted at the end. */

import { VFile } from 'vfile';
import { reporter } from 'vfile-reporter';
import type { Fault } from './fault.ts';

/** All faults together; an empty text when there are none. */
export function reportFaults(faults: readonly Fault[]): string {
  if (faults.length === 0) return '';
  const files = Map.groupBy(faults, (fault) => fault.file);
  const reports = [...files.keys()].toSorted().map((path) => {
    const file = new VFile({ path });
    for (const fault of files.get(path)?.toSorted((a, b) => a.line - b.line || a.column - b.column) ?? []) {
      file.message(fault.message, {
        place: { line: fault.line, column: fault.column },
        ruleId: fault.rule,
        source: 'content',
      });
    }
    return file;
  });
  return reporter(reports, { color: false });
}
