import { z } from 'zod';
import { apiKeySchema, createdApiKeySchema } from '../../../../client/contract/jobs/api-keys.ts';
import { limitGroups } from '../../../../client/contract/jobs/key-groups.ts';
import { isNetwork } from '../../../config/network.ts';
import { createKey, listKeys, revokeKey } from '../../keys/keys.ts';
import { innerCall } from '../define-job-call.ts';

const yearsMs = 10 * 366 * 86_400_000;

const newKey = z.strictObject({
  name: z.string().trim().min(1, 'Please enter a name.').max(64),
  expiresAt: z.int().min(0).optional(),
  addresses: z
    .array(z.string().max(64).refine(isNetwork, 'Please enter addresses or networks such as 192.0.2.0/24.'))
    .max(50)
    .default([]),
  groups: z.array(z.enum(limitGroups)).max(limitGroups.length).default([]),
});

/** Keys can only be created and revoked with a session. */
export const apiKeyCalls = [
  innerCall(
    'apikey/create',
    {
      summary: 'Creates a key; its secret is shown only once.',
      body: newKey,
      example: { name: 'deployment' },
      data: createdApiKeySchema,
    },
    ({ name, expiresAt, addresses, groups }, { uid }, services) => {
      const latest = services.now() + yearsMs;
      return createKey(services, { uid, name, expiresAt: expiresAt && Math.min(expiresAt, latest), addresses, groups });
    },
  ),
  innerCall(
    'apikey/list',
    { summary: 'Keys of the account without their secrets.', body: z.strictObject({}), data: z.array(apiKeySchema) },
    (_body, { uid }, services) => listKeys(services, uid),
  ),
  innerCall(
    'apikey/revoke',
    {
      summary: 'Revokes a key at once.',
      body: z.strictObject({ id: z.string().max(64) }),
      example: { id: 'a' },
      data: z.null(),
    },
    async ({ id }, { uid }, services) => {
      await revokeKey(services, uid, id);
      return null;
    },
  ),
];
