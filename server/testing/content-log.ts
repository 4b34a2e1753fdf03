import type { ContentLog } from '../content/content-log.ts';

/** A log that discards everything. */
export const quiet: ContentLog = { info: () => undefined, warn: () => undefined };

export interface KeptLog extends ContentLog {
  warnings: string[];
  infos: { details: object; message: string }[];
}

/** A log that keeps its messages. */
export function keptLog(): KeptLog {
  const warnings: string[] = [];
  const infos: KeptLog['infos'] = [];
  return {
    warnings,
    infos,
    info: (details, message) => void infos.push({ details, message }),
    warn: (_details, message) => void warnings.push(message),
  };
}
