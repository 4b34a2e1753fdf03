import type { PostgresSettings } from './card.ts';

/** What a job reads the log by: made and removed by the job, or by an administrator, who keeps them. */
export interface LogNames {
  slot: string;
  publication: string;
  ownsSlot: boolean;
  ownsPublication: boolean;
}

/** Names of the slot and the publication of a job. */
export function logNames({ slot, publication }: PostgresSettings, job: string): LogNames {
  const own = `millrace_${job}`;
  return {
    slot: slot || own,
    publication: publication || own,
    ownsSlot: slot === '',
    ownsPublication: publication === '',
  };
}
