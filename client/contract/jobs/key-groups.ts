/** Groups of calls. */
export const keyGroups = [
  'cluster',
  'worker',
  'consolejob',
  'schema',
  'constant',
  'datasource',
  'datajob',
  'job',
  'practice',
  'user',
  'apikey',
] as const;
export type KeyGroup = (typeof keyGroups)[number];

/** Groups that a key can be limited to: keys are created and revoked only with a session. */
export const limitGroups = keyGroups.filter((group) => group !== 'apikey');
