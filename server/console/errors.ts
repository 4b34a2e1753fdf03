import { AppError, type ErrorDetails, type ErrorEntry } from '../errors.ts';

/** What the console refuses; a refusal of the business itself has status 200, as the contract says. */
const consoleErrors = {
  SIGNED_OUT: { status: 401, msg: 'Please sign in.' },
} as const satisfies Record<string, ErrorEntry>;

export type ConsoleErrorCode = keyof typeof consoleErrors;

/** Thrown wherever a call of the console is refused. */
export class ConsoleError extends AppError {
  constructor(code: ConsoleErrorCode, details?: ErrorDetails) {
    super(code, consoleErrors[code], details);
  }
}
