/** One row of an application's table of errors. */
export interface ErrorEntry {
  /** HTTP status of the response. */
  status: number;
  /** The sentence shown to people. */
  msg: string;
}

export interface ErrorDetails {
  /** For the log only. */
  cause?: unknown;
  headers?: Record<string, string>;
  /** What is wrong with each field of the request. */
  fields?: Record<string, string>;
  /** What the caller needs in order to continue. */
  data?: Record<string, unknown>;
}

/** Base of all errors that refuse a request; each application extends it with a class and a table of codes. */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: string, { status, msg }: ErrorEntry, details: ErrorDetails = {}) {
    super(msg, { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.status = status;
    this.headers = { ...(status === 503 && { 'Retry-After': '2' }), ...details.headers };
    this.fields = details.fields;
    this.data = details.data;
  }

  /** The response envelope of a refused call. */
  toEnvelope(requestId: string) {
    return {
      success: false,
      code: this.code,
      msg: this.message,
      ...(this.fields && { fields: this.fields }),
      ...(this.data && { data: this.data }),
      requestId,
    } as const;
  }
}
