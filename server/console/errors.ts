import { AppError, type ErrorDetails, type ErrorEntry } from '../errors.ts';
import { toAppError } from '../http/errors.ts';
import { StorageSilent } from '../storage/database.ts';

/** What the console refuses; a refusal of the business itself has status 200, as the contract says. */
const consoleErrors = {
  STORE_SILENT: { status: 503, msg: 'The server cannot reach its database. Please try again in a moment.' },
  SIGNED_OUT: { status: 401, msg: 'Please sign in.' },
  BAD_CREDENTIALS: { status: 200, msg: 'The account, the password or the code is not right.' },
  BAD_CODE: { status: 200, msg: 'The code is not right or no longer valid. Please ask for a new one.' },
  BAD_PASSWORD_ENCRYPTION: {
    status: 400,
    msg: 'The password could not be read. Please reload the page and try again.',
  },
  PLAIN_PASSWORD: { status: 400, msg: 'This server takes encrypted passwords only: open the site by https.' },
  NO_EMAIL: { status: 200, msg: 'This account has no e-mail address.' },
  NO_PHONE: { status: 200, msg: 'This account has no phone number.' },
  BAD_APPLY_CODE: {
    status: 400,
    msg: 'This is not an apply code. Copy it from the licence settings of the installation.',
  },
  NOT_OWNER: { status: 200, msg: 'Only the first account of this installation, its owner, can do that.' },
  NO_LICENCE_NEEDED: { status: 200, msg: 'This installation needs no licence: nothing limits its links.' },
  BAD_AUTH_CODE: {
    status: 200,
    msg: 'This authorization code is not valid: it is incomplete, its time is not now, or another seller signed it. Copy it again from the order.',
  },
  OTHER_INSTALLATION: {
    status: 200,
    msg: "This authorization code belongs to another installation. Order one with this installation's apply code.",
  },
  CODE_REPLACED: {
    status: 200,
    msg: 'The licence of this authorization code ended with the order of the one that was entered last.',
  },
  NOT_SOLD: { status: 200, msg: 'This edition is not sold here.' },
  LINKS_OUT_OF_RANGE: { status: 200, msg: 'This edition has no licence with so many links.' },
  FEWER_THAN_USED: { status: 200, msg: 'The installation uses more links than that.' },
  EDITION_GOES_DOWN: { status: 200, msg: 'The installation has a higher edition already.' },
  TRIAL_USED: { status: 200, msg: 'This installation had its trial already.' },
  PERIOD_NOT_SOLD: { status: 200, msg: 'This edition has no licence of such a period.' },
  QUOTE_ENDED: { status: 200, msg: 'This price is no longer valid. Please calculate it again.' },
  ORDER_WAITS: {
    status: 200,
    msg: 'Another order for this installation waits for its payment. Pay it or close it first, under Orders.',
  },
  LICENCE_REPLACED: {
    // No success to the payment service either: it tells again, until the order is closed and the money is told as without one.
    status: 409,
    msg: 'The rest of the old licence is in another order already. Close this order and make a new one.',
  },
  NO_ORDER: { status: 404, msg: 'There is no such order.' },
  ORDER_STATE: { status: 200, msg: 'The state of the order does not allow that.' },
  PAYMENT_NOT_OFFERED: { status: 200, msg: 'This way to pay is not offered here.' },
  TOO_LITTLE_FOR_CARD: { status: 200, msg: 'A card is not charged less than 0.50 USD. Please pay by transfer.' },
  CREDITS_CHANGED: { status: 200, msg: 'The credits of the account have changed. Please calculate the price again.' },
  PAYMENT_FAILED: { status: 502, msg: 'The payment service did not answer as it should. Please try again.' },
  NO_BILL: { status: 404, msg: 'There is no such bill.' },
  NO_INVOICE: { status: 404, msg: 'There is no such open invoice.' },
  NO_SUBSCRIPTION: { status: 404, msg: 'There is no such subscription.' },
  NO_CARD: { status: 200, msg: 'Please add a card first.' },
  NO_PACKAGE: { status: 404, msg: 'There is no such download.' },
  SSO_FAILED: { status: 200, msg: 'The sign-in was not confirmed, or it took too long. Please start it again.' },
  SSO_TAKEN: { status: 200, msg: 'This sign-in belongs to another account already.' },
  PROFILE_NEEDED: { status: 200, msg: 'Please confirm an e-mail address or a phone number with a code.' },
  MARKETPLACE_NOT_OFFERED: { status: 200, msg: 'Purchases of this marketplace are not taken here.' },
  MARKETPLACE_SILENT: { status: 200, msg: 'The marketplace did not answer. Please try again in a moment.' },
  BAD_MARKETPLACE_TOKEN: {
    status: 200,
    msg: 'The marketplace does not know this purchase, or it took too long. Please start again from your marketplace account.',
  },
  PURCHASE_TAKEN: { status: 200, msg: 'This purchase belongs to an account already. Please sign in with it.' },
  CODE_WAIT: { status: 429, msg: 'A code was sent a moment ago. Please wait before you ask for another one.' },
} as const satisfies Record<string, ErrorEntry>;

export type ConsoleErrorCode = keyof typeof consoleErrors;

/** Thrown wherever a call of the console is refused. */
export class ConsoleError extends AppError {
  constructor(code: ConsoleErrorCode, details?: ErrorDetails) {
    super(code, consoleErrors[code], details);
  }
}

/** What a thrown value means to the caller; a store that does not answer, or takes nothing, is a fault that passes. */
export function toRefusal(thrown: unknown): AppError {
  return thrown instanceof StorageSilent ? new ConsoleError('STORE_SILENT', { cause: thrown }) : toAppError(thrown);
}
