/** Every refusal the site can give: status, code and sentence in one place. */
const refusals = {
  BAD_REQUEST: { status: 400, msg: 'The request is not well formed.' },
  BAD_JSON: { status: 400, msg: 'The body is not well-formed JSON.' },
  TOO_DEEP: { status: 400, msg: 'The body is nested too deeply.' },
  INVALID_FIELDS: { status: 400, msg: 'Some fields are not valid.' },
  NOT_FOUND: { status: 404, msg: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, msg: 'This address does not answer this method.' },
  BODY_TOO_SLOW: { status: 408, msg: 'The request took too long to arrive.' },
  PRECONDITION_FAILED: { status: 412, msg: 'What is here is not what the request expects.' },
  BODY_TOO_LARGE: { status: 413, msg: 'The body is too large.' },
  ADDRESS_TOO_LONG: { status: 414, msg: 'The address is too long.' },
  NOT_JSON: { status: 415, msg: 'The body must be sent as application/json.' },
  RANGE_NOT_SATISFIABLE: { status: 416, msg: 'The file has no such part.' },
  TOO_MANY_REQUESTS: { status: 429, msg: 'Too many requests. Please wait a minute.' },
  INTERNAL: { status: 500, msg: 'The server made a mistake. Please try again.' },
  NO_BACKEND: { status: 502, msg: 'No console backend is set up on this server, so accounts are not available here.' },
  BACKEND_UNREACHABLE: { status: 502, msg: 'The account service cannot be reached. Please try again in a moment.' },
  BACKEND_BAD_ANSWER: { status: 502, msg: 'The account service gave an answer that cannot be used. Please try again.' },
  BACKEND_FAILED: { status: 502, msg: 'The account service failed. Please try again in a moment.' },
  BACKEND_BUSY: { status: 503, msg: 'The account service is busy. Please try again in a moment.' },
  OVERLOADED: { status: 503, msg: 'The server is busy. Please try again in a moment.' },
  BACKEND_TOO_SLOW: { status: 504, msg: 'The account service took too long to answer. Please try again.' },
} as const;

export type RefusalCode = keyof typeof refusals;

interface RefusalDetails {
  /** For the log only. */
  cause?: unknown;
  headers?: Record<string, string>;
  fields?: Record<string, string>;
}

/** Thrown wherever a request is refused; one handler turns it into JSON or a page. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>> | undefined;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(refusals[code].msg, { cause: details.cause });
    this.name = 'Refusal';
    this.code = code;
    this.status = refusals[code].status;
    this.headers = { ...(this.status === 503 && { 'Retry-After': '2' }), ...details.headers };
    this.fields = details.fields;
  }

  /** The envelope of a refused call. */
  toEnvelope(requestId: string) {
    return {
      success: false,
      code: this.code,
      msg: this.message,
      ...(this.fields && { fields: this.fields }),
      requestId,
    } as const;
  }
}
