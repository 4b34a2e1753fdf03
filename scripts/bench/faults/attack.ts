import type { Row } from '../record.ts';

/** Something that is done to the site, and what came of it. */
export interface Attack {
  name: string;
  run(): Promise<Finding[]>;
}

export interface Finding {
  /** What was done. */
  what: string;
  /** What was measured, with its unit. */
  figure: string;
  value: number | string;
  aim: string;
  holds: boolean;
}

/** A finding whose value must not be above its aim. */
export function atMost(what: string, figure: string, value: number, aim: number): Finding {
  return { what, figure, value, aim: `≤ ${aim}`, holds: value <= aim };
}

/** A finding whose value must be just so. */
export function exactly(what: string, figure: string, value: number | string, aim: number | string): Finding {
  return { what, figure, value, aim: String(aim), holds: value === aim };
}

export function toRow(attack: string, { what, figure, value, aim, holds }: Finding): Row {
  const date = new Date().toISOString().slice(0, 10);
  return { attack, what, figure, value, aim, holds: holds ? 'yes' : 'no', date };
}
