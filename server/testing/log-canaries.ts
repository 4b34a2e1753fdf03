/** Fields whose values belong in no log, by the names that calls and messages give them. */
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
/** Shorter values appear by chance. */
const shortest = 6;

/** Notes what a test sends and gets that is secret, and looks for it in the log. */
export class LogCanaries {
  readonly #found = new Map<string, string>();

  /** A value that must not be logged; `name` says what it is. */
  note(name: string, value: unknown): void {
    if (typeof value === 'string' && value.length >= shortest) this.#found.set(value, name);
  }

  /** The secret fields of a request's body, or of a message. */
  noteAsked(body: unknown): void {
    this.#walk(body, asked);
  }

  /** Those of an answer. */
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

  /** Names of the secrets that a log holds. */
  in(log: string): string[] {
    return [...this.#found].filter(([value]) => holds(log, value)).map(([, name]) => name);
  }
}

/** Whether the log has the value; six digits count where they stand alone, not inside of a longer number. */
function holds(log: string, value: string): boolean {
  if (!/^\d+$/.test(value)) return log.includes(value) || log.includes(JSON.stringify(value).slice(1, -1));
  return new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`).test(log);
}
