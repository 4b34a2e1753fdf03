import { type Row, round } from '../record.ts';

/** A measured value with its reference from the same run. */
export interface Figure {
  measure: string;
  ours: string;
  /** What it is divided by, or '–'. */
  other: string;
  value: number;
  unit: 'ratio' | 'ms' | 's' | 'MB';
  aim: { least: number } | { most: number };
}

/** A row of the printed table. */
export function toRow({ measure, ours, other, value, unit, aim }: Figure): Row {
  const holds = 'least' in aim ? value >= aim.least : value <= aim.most;
  return {
    measure,
    ours,
    other,
    value: round(value, unit === 'ratio' ? 2 : unit === 's' ? 1 : 0),
    unit,
    aim: 'least' in aim ? `≥ ${aim.least}` : `≤ ${aim.most}`,
    holds: holds ? 'yes' : 'no',
  };
}

/** The median, so that one disturbed turn does not count. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The percentile of sorted values. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
