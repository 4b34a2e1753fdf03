import type { PostgresSettings } from './card.ts';

/** What a job reads the log by: made and removed by the job, or by an administrator, who keeps them. */
export interface LogNames {
  slot: string;
  publication: string;
  ownsSlot: boolean;
  ownsPublication: boolean;
}

/** What a job calls its slot and its publication, where nobody named others. */
export function ownLogName(job: string): string {
  return `millrace_${job}`;
}

/** Names of the slot and the publication of a job. */
export function logNames({ slot, publication }: PostgresSettings, job: string): LogNames {
  const own = ownLogName(job);
  return {
    slot: slot || own,
    publication: publication || own,
    ownsSlot: slot === '',
    ownsPublication: publication === '',
  };
}
