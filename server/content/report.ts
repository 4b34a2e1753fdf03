import { VFile } from 'vfile';
import { reporter } from 'vfile-reporter';
import type { Fault } from './fault.ts';

/** The faults of several readings of one folder, each listed once; one reading may have several in one place. */
export function mergeFaults(readings: readonly (readonly Fault[])[]): Fault[] {
  const place = ({ file, line, column, rule }: Fault): string => `${file}:${line}:${column}:${rule}`;
  const told = new Set<string>();
  return readings.flatMap((faults) => {
    const fresh = faults.filter((fault) => !told.has(place(fault)));
    for (const fault of fresh) told.add(place(fault));
    return fresh;
  });
}

/** All faults together; an empty text when there are none. */
export function reportFaults(faults: readonly Fault[]): string {
  if (faults.length === 0) return '';
  const files = Map.groupBy(faults, (fault) => fault.file);
  const reports = [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, found]) => {
      const file = new VFile({ path });
      for (const fault of found.toSorted((a, b) => a.line - b.line || a.column - b.column)) {
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
