import { z } from 'zod';
import { dataSourceOf, storedSecrets } from '../../data-sources.ts';
import { openCall } from '../define-job-call.ts';
import { dataSourceIdBody, exampleDataSourceId } from './data-source-id.ts';

const property = z.object({ default: z.unknown().optional(), description: z.string().optional() });
const setting = z
  .object({
    configName: z.string(),
    configValue: z.string().describe('Empty for a secret.'),
    defaultValue: z.string(),
    description: z.string(),
    valueValidRegex: z.string(),
    readOnly: z.boolean(),
    secret: z.boolean(),
    needCreated: z.boolean().describe('A secret that is not stored.'),
  })
  .meta({ id: 'DataSourceSetting' });
const jsonSchema = z.object({ properties: z.record(z.string(), property).default({}) });

export const queryDataSourceConfig = openCall(
  'datasource/querydsconfig',
  {
    summary: 'Settings of a data source; secrets have no value.',
    body: dataSourceIdBody,
    example: exampleDataSourceId,
    data: z.array(setting),
  },
  async ({ dataSourceId }, { uid }, services) => {
    const { database, jobs } = services;
    const source = await dataSourceOf(database, uid, dataSourceId);
    const card = jobs.cards.find(({ family }) => family === source.family);
    if (!card) return [];
    const { set: secrets } = storedSecrets(services, source);
    const { properties } = jsonSchema.parse(z.toJSONSchema(card.settings, { io: 'input' }));
    return Object.entries(properties).map(([configName, about]) => ({
      configName,
      configValue: card.secrets.includes(configName) ? '' : String(source.settings[configName] ?? ''),
      defaultValue: about.default === undefined ? '' : String(about.default),
      description: about.description ?? '',
      valueValidRegex: '',
      readOnly: false,
      secret: card.secrets.includes(configName),
      needCreated: card.secrets.includes(configName) && !secrets.includes(configName),
    }));
  },
);
