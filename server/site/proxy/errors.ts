import { AppError, type ErrorDetails, type ErrorEntry } from '../../errors.ts';

/** What can go wrong between the site and the console backend. */
const backendErrors = {
  BACKEND_UNREACHABLE: { status: 502, msg: 'The account service cannot be reached. Please try again in a moment.' },
  BACKEND_BAD_ANSWER: { status: 502, msg: 'The account service sent an unusable answer. Please try again.' },
  BACKEND_FAILED: { status: 502, msg: 'The account service failed. Please try again in a moment.' },
  BACKEND_BUSY: { status: 503, msg: 'The account service is busy. Please try again in a moment.' },
  RESTARTING: { status: 503, msg: 'The server is being restarted. Please try again in a moment.' },
  BACKEND_TOO_SLOW: { status: 504, msg: 'The account service took too long to answer. Please try again.' },
} as const satisfies Record<string, ErrorEntry>;

/** Thrown when a call gets no usable answer from the console backend. */
export class BackendError extends AppError {
  constructor(code: keyof typeof backendErrors, details?: ErrorDetails) {
    super(code, backendErrors[code], details);
  }
}
