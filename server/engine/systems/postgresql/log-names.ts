/** What a job reads the log through: created and removed by the job itself, or owned by an administrator. */
export interface LogNames {
  slot: string;
  publication: string;
  ownsSlot: boolean;
  ownsPublication: boolean;
}

/** The name of a job's own slot and publication, unless others are named. */
export function ownLogName(job: string): string {
  return `millrace_${job}`;
}

/** The names of a job's slot and publication; an empty setting names none. */
export function logNames(settings: { slot: string; publication: string }, job: string): LogNames {
  const { slot, publication } = settings;
  const own = ownLogName(job);
  return {
    slot: slot || own,
    publication: publication || own,
    ownsSlot: slot === '',
    ownsPublication: publication === '',
  };
}
