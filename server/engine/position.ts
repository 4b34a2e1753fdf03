/** A place in the log of a source, after a commit. */
export interface Position {
  /** Sorts as text within one incarnation of the source. */
  order: string;
  /** What the source needs to go on from here: an LSN, a GTID set, offsets. Opaque to everybody else; its last word is shown. */
  resume: string;
}

/** Whether `position` is `other` or lies behind it in the log. */
export function hasReached(position: Position | null, other: Position): boolean {
  return position !== null && position.order >= other.order;
}
