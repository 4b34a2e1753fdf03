import { z } from 'zod';
import type { Card } from '../../../engine/systems/system.ts';
import { readAddress } from '../../data-source-address.ts';
import { storeDataSource } from '../../data-sources.ts';
import { hostType, jsonText, optionalText } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';
import { cardOf } from './card-of.ts';

/** Either with the open API's names, or with `settings` in those of the family's card; the latter take precedence. */
const fields = z.object({
  type: z.string().min(1),
  settings: z.record(z.string(), z.unknown()).optional(),
  deployType: z.string().max(64).default('SELF_MAINTENANCE'),
  region: optionalText,
  hostType: hostType.default('PRIVATE'),
  privateHost: optionalText,
  publicHost: optionalText,
  host: optionalText,
  securityType: z.string().max(64).optional(),
  account: optionalText,
  password: optionalText,
  instanceDesc: optionalText,
  dbName: optionalText,
  version: optionalText,
});
type Fields = z.infer<typeof fields>;

/** As JSON, or as the part of a multipart form that open API clients send, with a certificate beside it. */
const body = z.union([
  z
    .object({ dataSourceAddData: jsonText(fields), securityFile: z.string().max(100_000).optional() })
    .transform(({ dataSourceAddData, securityFile }) => ({ ...dataSourceAddData, securityFile })),
  fields.extend({ securityFile: z.string().max(100_000).optional() }),
]);

/** The open API's form in a card's names. */
function settingsOf(given: Fields & { securityFile?: string | undefined }, card: Card): Record<string, unknown> {
  const own = given.settings ?? {};
  if (card.family === 'sqlite') return { file: given.dbName || given.privateHost || given.host, ...own };
  const address = (given.hostType === 'PUBLIC' && given.publicHost) || given.privateHost || given.host;
  return {
    ...readAddress(address),
    ...(given.account !== '' && { user: given.account }),
    ...(given.password !== '' && { password: given.password }),
    ...(given.dbName !== '' && { database: given.dbName }),
    ...tlsOf(given),
    ...own,
  };
}

function tlsOf({ settings, securityType, securityFile }: Fields & { securityFile?: string | undefined }) {
  if (securityFile) return { tls: 'verify-ca', ca: securityFile };
  // Settings in the card's names have the card's default.
  if (settings && securityType === undefined) return {};
  // Without a security type, open API clients expect plain text.
  return { tls: securityType?.endsWith('_WITH_TLS') ? 'require' : 'disable' };
}

export const addDataSource = openCall(
  'datasource/addds',
  {
    summary: 'Stores a data source; its secrets are encrypted and never shown again.',
    body,
    example: {
      type: 'PostgreSQL',
      instanceDesc: 'Shop',
      settings: {
        host: 'db.example.com',
        port: 5432,
        database: 'shop',
        user: 'millrace',
        password: 'secret',
        tls: 'require',
      },
    },
    data: z.string().describe('The number of the data source.'),
    multipart: true,
  },
  async (given, { uid }, services) => {
    const { database, secretKey, now } = services;
    const card = cardOf(services, given.type);
    const { deployType, region, hostType: host, securityType = 'USER_PASSWD', version } = given;
    const id = await database.transaction((queries) =>
      storeDataSource(queries, secretKey, {
        uid,
        card,
        description: given.instanceDesc,
        settings: settingsOf(given, card),
        labels: { deployType, region, hostType: host, securityType, version },
        practice: false,
        now: now(),
      }),
    );
    return String(id);
  },
);
