import { AppError, type ErrorDetails, type ErrorEntry } from '../errors.ts';
import { toAppError } from '../http/errors.ts';
import { StorageSilent } from '../storage/database.ts';

/** The console's errors; a business refusal has status 200, as the contract says. */
const consoleErrors = {
  STORE_SILENT: { status: 503, msg: 'The server cannot reach its database. Please try again in a moment.' },
  SIGNED_OUT: { status: 401, msg: 'Please sign in.' },
  BAD_CREDENTIALS: { status: 200, msg: 'The account, password or code is not correct.' },
  BAD_CODE: { status: 200, msg: 'The code is not correct or no longer valid. Please request a new one.' },
  BAD_PASSWORD_ENCRYPTION: {
    status: 400,
    msg: 'The password could not be read. Please reload the page and try again.',
  },
  PLAIN_PASSWORD: { status: 400, msg: 'This server accepts only encrypted passwords: open the site over HTTPS.' },
  NO_EMAIL: { status: 200, msg: 'This account has no e-mail address.' },
  NO_PHONE: { status: 200, msg: 'This account has no phone number.' },
  BAD_APPLY_CODE: {
    status: 400,
    msg: "This is not an apply code. Copy it from the installation's licence settings.",
  },
  NOT_OWNER: { status: 200, msg: 'Only the first account of this installation, its owner, can do that.' },
  NO_LICENCE_NEEDED: { status: 200, msg: 'This installation needs no licence: nothing limits its links.' },
  BAD_AUTH_CODE: {
    status: 200,
    msg: 'This authorization code is not valid: it is incomplete, outside its validity period, or signed by another seller. Copy it again from the order.',
  },
  OTHER_INSTALLATION: {
    status: 200,
    msg: "This authorization code belongs to another installation. Order one with this installation's apply code.",
  },
  CODE_REPLACED: {
    status: 200,
    msg: "This authorization code's licence ended when the licence that was entered last was ordered.",
  },
  NOT_SOLD: { status: 200, msg: 'This edition is not sold here.' },
  LINKS_OUT_OF_RANGE: { status: 200, msg: 'This edition is not sold with this number of links.' },
  FEWER_THAN_USED: { status: 200, msg: 'The installation uses more links than that.' },
  EDITION_GOES_DOWN: { status: 200, msg: 'The installation already has a higher edition.' },
  TRIAL_USED: { status: 200, msg: 'This installation has already had its trial.' },
  PERIOD_NOT_SOLD: { status: 200, msg: 'This edition is not sold for this period.' },
  QUOTE_ENDED: { status: 200, msg: 'This price is no longer valid. Please calculate it again.' },
  ORDER_WAITS: {
    status: 200,
    msg: 'Another order for this installation is awaiting payment. Pay it or close it first, under Orders.',
  },
  LICENCE_REPLACED: {
    // No success for the payment service either: it retries until the order is closed, and then the payment is logged.
    status: 409,
    msg: 'The remaining value of the old licence is already in another order. Close this order and create a new one.',
  },
  NO_ORDER: { status: 404, msg: 'There is no such order.' },
  ORDER_STATE: {
    status: 200,
    msg: 'The order has been paid or closed meanwhile, or its time to be paid is over. Orders shows its present state.',
  },
  PAYMENT_NOT_OFFERED: { status: 200, msg: 'This payment method is not offered here.' },
  TOO_LITTLE_FOR_CARD: { status: 200, msg: 'A card payment must be at least 0.50 USD. Please pay by transfer.' },
  TOO_MUCH_FOR_CARD: { status: 200, msg: 'A card payment can be at most 999,999.99 USD. Please pay by transfer.' },
  CREDITS_CHANGED: { status: 200, msg: 'The credits of the account have changed. Please calculate the price again.' },
  PAYMENT_FAILED: { status: 502, msg: 'The payment service did not answer as expected. Please try again.' },
  NO_BILL: { status: 404, msg: 'There is no such bill.' },
  NO_INVOICE: { status: 404, msg: 'There is no such open invoice.' },
  NO_SUBSCRIPTION: { status: 404, msg: 'There is no such subscription.' },
  NO_CARD: { status: 200, msg: 'Please add a card first.' },
  NO_PACKAGE: { status: 404, msg: 'There is no such download.' },
  SSO_FAILED: { status: 200, msg: 'The sign-in was not confirmed, or it took too long. Please start it again.' },
  SSO_TAKEN: { status: 200, msg: 'This sign-in already belongs to another account.' },
  PROFILE_NEEDED: { status: 200, msg: 'Please confirm an e-mail address or a phone number with a code.' },
  MARKETPLACE_NOT_OFFERED: { status: 200, msg: 'Purchases from this marketplace are not accepted here.' },
  MARKETPLACE_SILENT: { status: 200, msg: 'The marketplace did not answer. Please try again in a moment.' },
  BAD_MARKETPLACE_TOKEN: {
    status: 200,
    msg: 'The marketplace does not know this purchase, or it took too long. Please start again from your marketplace account.',
  },
  PURCHASE_TAKEN: { status: 200, msg: 'This purchase already belongs to an account. Please sign in with it.' },
  CODE_WAIT: { status: 429, msg: 'A code was sent a moment ago. Please wait before you ask for another one.' },
} as const satisfies Record<string, ErrorEntry>;

export type ConsoleErrorCode = keyof typeof consoleErrors;

/** Thrown when a console call is refused. */
export class ConsoleError extends AppError {
  /** @param sentence says more than the table's */
  constructor(code: ConsoleErrorCode, details?: ErrorDetails, sentence?: string) {
    super(code, sentence === undefined ? consoleErrors[code] : { ...consoleErrors[code], msg: sentence }, details);
  }
}

/** What a thrown value means to the caller; a store that does not answer or accepts no writes is a temporary fault. */
export function toRefusal(thrown: unknown): AppError {
  return thrown instanceof StorageSilent ? new ConsoleError('STORE_SILENT', { cause: thrown }) : toAppError(thrown);
}
