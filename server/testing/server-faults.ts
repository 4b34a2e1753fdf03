const begins = /\b(?:ERROR|FATAL|PANIC): +XX/;
const belongs = /^\t|\b(?:DETAIL|HINT|QUERY|CONTEXT|LOCATION|BACKTRACE|STATEMENT): /;
const mostLines = 200;

/** PostgreSQL's own faults (class XX) among the lines of its log: a job's error does not say how it happened. */
export class ServerFaults {
  readonly lines: string[] = [];
  #isOpen = false;

  take(line: string): void {
    this.#isOpen = begins.test(line) || (this.#isOpen && belongs.test(line));
    if (this.#isOpen && this.lines.length < mostLines) this.lines.push(line);
  }
}
