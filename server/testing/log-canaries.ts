/** Fields whose values must not be logged, by their names in calls and messages. */
const asked = new Set([
  'account',
  'accessToken',
  'authCode',
  'code',
  'email',
  'oldPassword',
  'password',
  'phone',
  'phoneNumber',
  'registerToken',
  'state',
  'to',
  'verifyCode',
]);
const answered = new Set(['authCode', 'direct', 'email', 'nonce', 'payUrl', 'pdfUrl', 'phone', 'token']);
/** Shorter values occur by chance. */
const shortest = 6;

/** Records the secrets that a test sends and receives, and searches the log for them. */
export class LogCanaries {
  readonly #found = new Map<string, string>();

  /** A value that must not be logged; `name` says what it is. */
  note(name: string, value: unknown): void {
    if (typeof value === 'string' && value.length >= shortest) this.#found.set(value, name);
  }

  /** The secret fields in a request's body, or in a message. */
  noteAsked(body: unknown): void {
    this.#walk(body, asked);
  }

  /** Those in an answer. */
  noteAnswered(body: unknown): void {
    this.#walk(body, answered);
  }

  #walk(value: unknown, names: ReadonlySet<string>): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (names.has(name)) this.note(name, inner);
      this.#walk(inner, names);
    }
  }

  /** Names of the secrets in a log. */
  in(log: string): string[] {
    return [...this.#found].filter(([value]) => holds(log, value)).map(([, name]) => name);
  }
}

/** Whether the log contains the value; six digits count when they stand alone, not inside a longer number. */
function holds(log: string, value: string): boolean {
  if (!/^\d+$/.test(value)) return log.includes(value) || log.includes(JSON.stringify(value).slice(1, -1));
  return new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`).test(log);
}
