/** Something an author must fix, with its place. */
export interface Fault {
  /** Path below CONTENT_DIR, with forward slashes. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** Short rule name, e.g. `broken-link`. */
  rule: string;
  /** What is wrong and what to do, in one sentence. */
  message: string;
}

/** An existing file or folder that is not read, with the reason as the end of a sentence. */
export function leftOutFault(file: string, problem: string): Fault {
  return { file, line: 1, column: 1, rule: 'left-out', message: `It is left out: it ${problem}.` };
}

/** Writes a fault to the log in the form that authors look for. */
export function warnOf(log: { warn(fault: Fault, sentence: string): void }, fault: Fault): void {
  log.warn(fault, `content: ${fault.file}:${fault.line}:${fault.column} ${fault.message}`);
}
