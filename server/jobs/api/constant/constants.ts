import { z } from 'zod';
import { jobTypes, phases, statuses } from '../../../../client/contract/jobs/jobs.ts';
import { JobError } from '../../errors.ts';
import { optionalText } from '../../request-fields.ts';
import { defaultMemoryMb, sizes } from '../../sizes.ts';
import { openCall } from '../define-job-call.ts';

/** Calls whose answers are fixed or follow from the cards only. */

const nothing = z.object({});
const types = z.object({ sourceType: z.string(), targetType: z.string() });
const exampleTypes = { sourceType: 'PostgreSQL', targetType: 'PostgreSQL' };
const systemNames = z.array(z.string()).describe('Names of systems.');

const spec = z
  .object({
    id: z.int().describe('`specId` of a job.'),
    specKind: z.string(),
    specKindCn: z.string(),
    spec: z.string(),
    description: z.string(),
    fullMemoryMb: z.int(),
    increMemoryMb: z.int(),
    checkMemoryMb: z.int(),
  })
  .meta({ id: 'JobSize' });
const noOptions = z.object({});

const listSpecs = openCall(
  'constant/listspecs',
  {
    summary: 'Job sizes.',
    body: z.object({ dataJobType: z.string() }),
    example: { dataJobType: 'SYNC' },
    data: z.array(spec),
  },
  async () =>
    [{ id: 0, memoryMb: defaultMemoryMb }, ...sizes].map(({ id, memoryMb }) => ({
      id,
      specKind: 'MEMORY',
      specKindCn: 'MEMORY',
      spec: `${memoryMb} MB`,
      description: `${memoryMb} MB for the job process`,
      fullMemoryMb: memoryMb,
      increMemoryMb: memoryMb,
      checkMemoryMb: memoryMb,
    })),
);

const transformJobType = openCall(
  'constant/transformjobtype',
  {
    summary: 'Job types for a pair of systems.',
    body: types,
    example: exampleTypes,
    data: z.object({
      source: z.string(),
      target: z.string(),
      optionType: z.object({
        SYNC: z.object({ Incremental: z.literal('true'), FullAmount: z.literal('true') }),
        MIGRATION: noOptions,
        STRUCT_MIGRATION: noOptions,
      }),
    }),
  },
  async ({ sourceType, targetType }, _caller, { jobs }) => {
    const source = jobs.cards.find(({ name }) => name === sourceType);
    const target = jobs.cards.find(({ name }) => name === targetType);
    if (!source?.source || !target?.target || source.family !== target.family) {
      throw new JobError('NOT_OFFERED', `Jobs from ${sourceType} to ${targetType} are not offered yet.`);
    }
    return {
      source: sourceType,
      target: targetType,
      optionType: {
        SYNC: { Incremental: 'true' as const, FullAmount: 'true' as const },
        MIGRATION: {},
        STRUCT_MIGRATION: {},
      },
    };
  },
);

const typeNames = { STRUCT_MIGRATION: 'Structure', MIGRATION: 'Copy', SYNC: 'Copy and follow' } as const;

const dataJobType = openCall(
  'constant/datajobtype',
  {
    summary: 'Job types.',
    body: nothing,
    data: z.array(z.object({ i18nName: z.string(), dataJobType: z.enum(jobTypes) })),
  },
  async () => jobTypes.map((type) => ({ i18nName: typeNames[type], dataJobType: type })),
);

const dataTaskStatuses = openCall(
  'constant/datataskstatuses',
  {
    summary: 'Job statuses.',
    body: nothing,
    data: z.array(z.object({ i18nName: z.string(), dataTaskStatus: z.enum(statuses) })),
  },
  async () => statuses.map((status) => ({ i18nName: status, dataTaskStatus: status })),
);

const dataTaskStates = openCall(
  'constant/datataskstates',
  { summary: 'Job phases.', body: nothing, data: z.array(z.object({ dataTaskState: z.enum(phases) })) },
  async () => phases.map((phase) => ({ dataTaskState: phase })),
);

const sourceTypes = openCall(
  'constant/srcdstype',
  { summary: 'Systems that can be read.', body: z.object({ deployType: optionalText }), data: systemNames },
  async (_body, _caller, { jobs }) => jobs.cards.filter(({ source }) => source).map(({ name }) => name),
);

const targetTypes = openCall(
  'constant/dstdstype',
  {
    summary: 'Systems that a system can be copied to.',
    body: z.object({ deployType: optionalText, sourceType: z.string() }),
    example: { deployType: 'SELF_MAINTENANCE', sourceType: 'PostgreSQL' },
    data: systemNames,
  },
  async ({ sourceType }, _caller, { jobs }) =>
    jobs.cards.filter(({ name, target }) => target && name === sourceType).map(({ name }) => name),
);

const deployTypes = ['datasourcedeploytypes', 'supportsrcdeploytypes', 'supportdstdeploytypes'].map((name) =>
  openCall(
    `constant/${name}`,
    {
      summary: 'Deployment types of a system.',
      body: nothing,
      data: z.array(z.object({ i18nName: z.string(), envType: z.string() })),
    },
    async () => [{ i18nName: 'Self-managed', envType: 'SELF_MAINTENANCE' }],
  ),
);

const positionTypes = openCall(
  'constant/dspostypes',
  {
    summary: 'Position types of a system.',
    body: z.object({ dsType: z.string() }),
    example: { dsType: 'PostgreSQL' },
    data: z.array(z.string()),
  },
  async ({ dsType }) => (dsType === 'PostgreSQL' ? ['PG_LSN_POS'] : []),
);

const charsets = openCall(
  'constant/dscharsetoptions',
  {
    summary: 'Character sets of a system.',
    body: z.object({ dataSourceType: z.string() }),
    example: { dataSourceType: 'PostgreSQL' },
    data: z.object({
      dsCharsetOptions: z.array(z.object({ dsCharset: z.string(), defaultChecked: z.boolean() })),
    }),
  },
  async () => ({ dsCharsetOptions: [{ dsCharset: 'UTF8', defaultChecked: true }] }),
);

const mappingMeta = openCall(
  'constant/dsmappingmeta',
  {
    summary: 'Mappings between two systems, with the levels of their paths.',
    body: z.object({ srcDsType: z.string(), dstDsType: z.string() }),
    example: { srcDsType: 'PostgreSQL', dstDsType: 'PostgreSQL' },
    data: z.array(z.object({ method: z.string(), srcParents: z.array(z.string()), dstParents: z.array(z.string()) })),
  },
  async () => [
    { method: 'DB_DB', srcParents: [], dstParents: [] },
    { method: 'SCHEMA_SCHEMA', srcParents: ['DB'], dstParents: ['DB'] },
    { method: 'TABLE_TABLE', srcParents: ['SCHEMA', 'DB'], dstParents: ['SCHEMA', 'DB'] },
    { method: 'COLUMN_COLUMN', srcParents: ['TABLE', 'SCHEMA', 'DB'], dstParents: ['TABLE', 'SCHEMA', 'DB'] },
  ],
);

export const constantCalls = [
  listSpecs,
  transformJobType,
  dataJobType,
  dataTaskStatuses,
  dataTaskStates,
  sourceTypes,
  targetTypes,
  ...deployTypes,
  positionTypes,
  charsets,
  mappingMeta,
];
