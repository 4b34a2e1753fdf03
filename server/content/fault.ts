/** Something an author must mend, named by place. */
export interface Fault {
  /** Path below CONTENT_DIR, with forward slashes. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** Short rule name, e.g. `broken-link`. */
  rule: string;
  /** What is wrong and what to do, one sentence. */
  message: string;
}
