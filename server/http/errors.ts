import { AppError, type ErrorDetails, type ErrorEntry } from '../errors.ts';

/** Refusals common to all applications: the request itself, or more requests than they can handle. */
const httpErrors = {
  BAD_REQUEST: { status: 400, msg: 'The request is not well formed.' },
  BAD_JSON: { status: 400, msg: 'The body is not well-formed JSON.' },
  TOO_DEEP: { status: 400, msg: 'The body is nested too deeply.' },
  INVALID_FIELDS: { status: 400, msg: 'Some fields are not valid.' },
  NOT_FOUND: { status: 404, msg: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, msg: 'This address does not support this method.' },
  BODY_TOO_SLOW: { status: 408, msg: 'The request took too long to arrive.' },
  PRECONDITION_FAILED: { status: 412, msg: 'The resource is not in the state that the request expects.' },
  BODY_TOO_LARGE: { status: 413, msg: 'The body is too large.' },
  ADDRESS_TOO_LONG: { status: 414, msg: 'The address is too long.' },
  NOT_JSON: { status: 415, msg: 'The body must be sent as application/json.' },
  COMPRESSED_BODY: { status: 415, msg: 'The body is compressed: send it uncompressed, without Content-Encoding.' },
  RANGE_NOT_SATISFIABLE: { status: 416, msg: 'The file does not have the requested range.' },
  TOO_MANY_REQUESTS: { status: 429, msg: 'Too many requests. Please wait a minute.' },
  TOO_MANY_CONNECTIONS: { status: 429, msg: 'Too many connections from one network. Please try again in a moment.' },
  INTERNAL: { status: 500, msg: 'The server made a mistake. Please try again.' },
  UNKNOWN_CODING: { status: 501, msg: 'The server does not understand how the body is encoded.' },
  OVERLOADED: { status: 503, msg: 'The server is busy. Please try again in a moment.' },
  TIMED_OUT: { status: 503, msg: 'The server took too long. Please try again in a moment.' },
  UNKNOWN_VERSION: { status: 505, msg: 'The server supports only HTTP/1.1.' },
} as const satisfies Record<string, ErrorEntry>;

export type HttpErrorCode = keyof typeof httpErrors;

/** Thrown wherever a request is refused; each application's single handler turns it into JSON or a page. */
export class HttpError extends AppError {
  /** @param sentence says more than the table's */
  constructor(code: HttpErrorCode, details?: ErrorDetails, sentence?: string) {
    super(code, sentence === undefined ? httpErrors[code] : { ...httpErrors[code], msg: sentence }, details);
  }
}

/** The error for a body over the limit that its reader has. */
export function bodyTooLarge(maxBytes: number, cause?: unknown): HttpError {
  return new HttpError('BODY_TOO_LARGE', { cause }, `The body is too large: at most ${maxBytes} bytes are accepted.`);
}

/** What a thrown value means to the client. */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new HttpError('INTERNAL', { cause: error });
}
