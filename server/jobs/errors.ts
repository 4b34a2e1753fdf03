import { AppError, type ErrorDetails, type ErrorEntry } from '../errors.ts';

/** Refusals of the calls for jobs. In the open API's envelope a business refusal has `code` "0" with status 200. */
export const jobErrors = {
  NO_JOB: { status: 200, msg: 'There is no such job.' },
  JOB_DAMAGED: { status: 200, msg: 'The stored data of this job cannot be read.' },
  DATA_SOURCE_DAMAGED: { status: 200, msg: 'The stored data of this data source cannot be read.' },
  TABLE_DAMAGED: { status: 200, msg: 'The stored data of this table cannot be read.' },
  SECRETS_UNREADABLE: {
    status: 200,
    msg: "The stored password of this data source cannot be read with this installation's key. Enter it again.",
  },
  NO_DATA_SOURCE: { status: 200, msg: 'There is no such data source.' },
  NO_TABLE: { status: 200, msg: 'The job has no such table.' },
  NO_CONSOLE_JOB: { status: 200, msg: 'There is no such console job or task.' },
  NO_WORKER: { status: 200, msg: 'There is no such worker.' },
  NO_KEY: { status: 200, msg: 'There is no such key.' },
  NOT_POSSIBLE: { status: 200, msg: 'The state of the job does not allow that.' },
  DATA_SOURCE_IN_USE: { status: 200, msg: 'Jobs use this data source. Delete them first.' },
  NOT_OFFERED: { status: 200, msg: 'This installation does not offer that.' },
  BAD_VALUE: { status: 200, msg: 'A field is not right.' },
  SYSTEM_FAULT: { status: 200, msg: 'The system could not be asked.' },
  JOBS_NOT_ALLOWED: { status: 200, msg: 'This account may not have jobs here.' },
  LICENCE_LINKS: { status: 200, msg: 'The licence of this installation allows no further links.' },
  TOO_MANY: { status: 200, msg: 'There are too many of these already.' },
  MISSING_PARAMETER: { status: 499, msg: 'A parameter is missing.' },
  UNKNOWN_KEY: { status: 498, msg: 'There is no such key, or it was revoked or has expired.' },
  KEY_DAMAGED: {
    status: 498,
    msg: 'The stored data of this key cannot be read. Revoke it and create another one.',
  },
  BAD_SIGNATURE: { status: 497, msg: 'The signature or the secret is wrong, or the nonce was used before.' },
} as const satisfies Record<string, ErrorEntry>;

export type JobErrorCode = keyof typeof jobErrors;

/** Thrown whenever a call for jobs is refused; its own sentence says more than the table's. */
export class JobError extends AppError {
  constructor(code: JobErrorCode, sentence?: string, details?: ErrorDetails) {
    super(code, sentence === undefined ? jobErrors[code] : { ...jobErrors[code], msg: sentence }, details);
  }
}
