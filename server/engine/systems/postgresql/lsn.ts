import { EngineError } from '../../errors.ts';
import type { Position } from '../../position.ts';

/** The number for an LSN as PostgreSQL prints it: `16/B374D848`. */
export function parseLsn(text: string): bigint {
  const parts = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text);
  if (!parts) throw new EngineError('UNEXPECTED', { side: 'source', subject: 'a position that is not an LSN' });
  return (BigInt(`0x${parts[1]}`) << 32n) + BigInt(`0x${parts[2]}`);
}

/** An LSN as PostgreSQL prints it. */
export function printLsn(lsn: bigint): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();
}

export function positionAt(lsn: bigint): Position {
  return { order: lsn.toString(16).padStart(16, '0'), resume: printLsn(lsn) };
}

/**
 * SQL for a server position as a stream reaches it: if a record ends together with its page, a stream reports the end
 * of the page, while the server's functions return the position after the next page's header.
 */
export function streamedEnd(lsn: string): string {
  return `
  (SELECT CASE
      WHEN lsn % segment = 40 THEN lsn - 40
      WHEN lsn % block = 24 AND lsn % segment > 24 THEN lsn - 24
      ELSE lsn
    END::text
  FROM (SELECT pg_wal_lsn_diff(${lsn}, '0/0') AS lsn,
      pg_size_bytes(current_setting('wal_segment_size')) AS segment,
      current_setting('wal_block_size')::int AS block) AS log)`;
}

/** SQL for the current end of the log. */
export const endOfLog = streamedEnd('pg_current_wal_insert_lsn()');

/** The position that `endOfLog` returned. */
export function positionOfEnd(text: string): Position {
  return positionAt(BigInt(text));
}
