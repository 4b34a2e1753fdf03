import type { Row } from '../record.ts';

/** An attack on the site, with its findings. */
export interface Attack {
  name: string;
  run(): Promise<Finding[]>;
}

export interface Finding {
  /** The attack. */
  what: string;
  /** The measured quantity, with its unit. */
  figure: string;
  value: number | string;
  aim: string;
  holds: boolean;
}

/** A finding whose value must not exceed its aim. */
export function atMost(what: string, figure: string, value: number, aim: number): Finding {
  return { what, figure, value, aim: `≤ ${aim}`, holds: value <= aim };
}

/** A finding whose value must equal its aim. */
export function exactly(what: string, figure: string, value: number | string, aim: number | string): Finding {
  return { what, figure, value, aim: String(aim), holds: value === aim };
}

export function toRow(attack: string, { what, figure, value, aim, holds }: Finding): Row {
  const date = new Date().toISOString().slice(0, 10);
  return { attack, what, figure, value, aim, holds: holds ? 'yes' : 'no', date };
}
