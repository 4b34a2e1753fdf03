/** The result of one check, typed in the terms that the open API lists as preCheckType. */
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
  /** A `fault` prevents the job from starting; a `warning` does not. */
  result: 'passed' | 'warning' | 'fault';
  /** What was checked and what was found, for people to read. */
  sentence: string;
  /** What a database administrator can run to resolve it. */
  sql?: string;
  /** The table that it concerns, if any. */
  table?: string;
  /** Whether the user must agree to it before the job is created. */
  needsConsent?: boolean;
}
