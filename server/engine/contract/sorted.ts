/** Rows in an order of their own, to be compared with others. */
export function sorted<Row>(rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}
