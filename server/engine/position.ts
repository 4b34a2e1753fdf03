/** A position in a source's log, after a commit. */
export interface Position {
  /** Sorts as text within one incarnation of the source. */
  order: string;
  /** What the source needs to continue: an LSN, a GTID set, offsets. Opaque elsewhere; its last word is shown. */
  resume: string;
}

/** Whether `position` is `other` or comes after it in the log. */
export function hasReached(position: Position | null, other: Position): boolean {
  return position !== null && position.order >= other.order;
}
