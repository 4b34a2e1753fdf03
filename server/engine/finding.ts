/** One thing that a check looked at, in the words that the open API lists as preCheckType. */
export interface Finding {
  type:
    | 'CONNECTIVITY'
    | 'VERSION'
    | 'BINLOG_EXISTENCE'
    | 'PRIVILEGES'
    | 'VARIABLES'
    | 'STRUCT_EXISTENCE'
    | 'STRUCT_TABLE_PK'
    | 'STRUCT_TABLE_STORAGE'
    | 'COLUMN_TYPE'
    | 'NAME_LENGTH'
    | 'VERSION_COMPATIBILITY';
  side: 'source' | 'target';
  /** `fault` keeps the job from starting, `warning` does not. */
  result: 'passed' | 'warning' | 'fault';
  /** What was looked at and what was found, for a person. */
  sentence: string;
  /** What a database administrator can run against it. */
  sql?: string;
  /** The table that it concerns, where it is one. */
  table?: string;
  /** Whether a person has to agree to it before the job is made. */
  needsConsent?: boolean;
}
