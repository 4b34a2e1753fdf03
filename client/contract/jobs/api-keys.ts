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

export interface NewApiKey {
  name: string;
  /** Epoch milliseconds; without it the key does not expire. */
  expiresAt?: number;
  /** Addresses or networks (`192.0.2.0/24`) that may use it; empty: any. */
  addresses?: string[];
  /** Empty: all. */
  groups?: KeyGroup[];
}

export interface CreatedApiKey {
  id: string;
  accessKey: string;
  /** Shown only this once. */
  secret: string;
}

export interface ApiKey {
  id: string;
  name: string;
  accessKey: string;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  addresses: string[];
  groups: KeyGroup[];
  /** Its restrictions are unreadable, so it is refused. */
  damaged: boolean;
}
