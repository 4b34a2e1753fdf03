import { z } from 'zod';
import { type KeyGroup, keyGroups } from './key-groups.ts';

export interface NewApiKey {
  name: string;
  /** Epoch milliseconds; without it the key does not expire. */
  expiresAt?: number;
  /** Addresses or networks (`192.0.2.0/24`) that may use it; empty: any. */
  addresses?: string[];
  /** Empty: all. */
  groups?: KeyGroup[];
}

export const createdApiKeySchema = z
  .object({
    id: z.string(),
    accessKey: z.string(),
    secret: z.string().describe('Shown only this once.'),
  })
  .meta({ id: 'CreatedApiKey' });
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;

export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    accessKey: z.string(),
    createdAt: z.int().describe('Epoch milliseconds, as all moments of a key.'),
    lastUsedAt: z.int().nullable(),
    expiresAt: z.int().nullable().describe('null: it does not expire.'),
    addresses: z.array(z.string()).describe('Addresses or networks that may use it; empty: any.'),
    groups: z.array(z.enum(keyGroups)).describe('Groups of calls that it may make; empty: all.'),
    damaged: z.boolean().describe('Its restrictions are unreadable, so it is refused.'),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof apiKeySchema>;
