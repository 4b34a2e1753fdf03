import { createHash } from 'node:crypto';
import { z } from 'zod';
import { flagField, hostType, id, jsonText, optionalText } from './request-fields.ts';

/** Whether what the node names is left out. */
const inBlackList = z.boolean().nullish();
const kindsOfChanges = z.array(z.string().max(40)).max(20).nullish();
const table = z.object({
  table: z.string().min(1).max(255),
  tablePattern: z.string().max(255).nullish(),
  columns: z.array(z.object({ column: z.string().min(1).max(255), inBlackList })).nullish(),
  dataFilter: z
    .object({
      expression: z
        .string()
        .max(10_000)
        .refine((text) => !text.includes('\0'), 'must be text.'),
    })
    .nullish(),
  actions: kindsOfChanges,
  blackActs: kindsOfChanges,
  inBlackList,
});
const schema = z.object({
  schema: z.string().min(1).max(255),
  tables: z.array(table).max(10_000).nullish(),
  inBlackList,
});
const database = z.object({
  db: z.string().max(1024),
  schemas: z.array(schema).max(1_000).nullish(),
  tables: z.array(table).max(10_000).nullish(),
  inBlackList,
});
const rule = z.object({
  method: z.string().max(40),
  serializeMapping: z.record(z.string().max(4_000), z.string().max(4_000)).nullish(),
  commonGenRule: z.string().max(64).nullish(),
});

export type TableNode = z.infer<typeof table>;

const aboutSchema =
  'Whatever a node with `inBlackList` names is left out: a database, a schema, a table or all that match its `tablePattern`, a column. `actions` of a table must be missing or name INSERT, UPDATE and DELETE: a job that leaves out a kind of change is refused. Unknown fields are refused.';

/** A job as it is stored. Clients send more fields; those are ignored. */
export const newJobSchema = z.object({
  clusterId: id,
  srcDsId: id,
  dstDsId: id,
  srcHostType: hostType,
  dstHostType: hostType,
  srcSchema: jsonText(z.array(database).min(1).max(100), aboutSchema),
  dstSchema: jsonText(z.array(database).max(100))
    .or(z.literal('').transform(() => []))
    .default([]),
  mappingDef: jsonText(z.array(rule).max(1_000)),
  jobType: z.enum(['MIGRATION', 'SYNC', 'CHECK', 'REVISE', 'STRUCT_MIGRATION']),
  specId: id,
  structMigration: flagField,
  filterDDL: flagField,
  initialSync: flagField.default(true),
  ddl: z.enum(['safe', 'ignore', 'stop']).optional(),
  srcDsCharset: optionalText,
  tarDsCharset: optionalText,
  dataJobDesc: optionalText,
  autoStart: flagField.default(false),
  /** Whether tables that are created later and match a pattern are added. */
  addNewTables: flagField.default(false),
  /** The same for existing clients: the level down to which the selection is strict. */
  schemaWhiteListLevel: z.enum(['NONE', 'DB', 'SCHEMA', 'TABLE', '']).nullish(),
  keyConflictStrategy: z.enum(['IGNORE', 'REPLACE', '']).default('IGNORE'),
  parallel: z.coerce.number().int().min(1).max(16).default(4),
});

export type NewJob = z.infer<typeof newJobSchema>;

/** What clients may write on every node. */
const written = { targetAutoCreate: z.unknown().optional() };
const noPattern = z.literal('', 'is not offered: name each one.').nullish();
const askedTable = z.strictObject({
  ...table.shape,
  ...written,
  columns: z.array(z.strictObject({ column: z.string().min(1).max(255), inBlackList, ...written })).nullish(),
  dataFilter: z
    .strictObject({ ...table.shape.dataFilter.unwrap().unwrap().shape, type: z.unknown().optional() })
    .nullish(),
  specifiedPks: z.array(z.unknown()).max(0, 'is not offered: a job finds rows by the key of the source.').nullish(),
});
const askedTables = z.array(askedTable).max(10_000).nullish();

/**
 * The body of `create`, the prechecks and `plan`: a field that is not known in the selection or the mapping is refused,
 * since without it the job would carry other rows, or write them elsewhere. Stored requests may have such fields.
 */
export const askedJobSchema = newJobSchema.extend({
  srcSchema: jsonText(
    z
      .array(
        z.strictObject({
          ...database.shape,
          ...written,
          dbPattern: noPattern,
          schemas: z
            .array(z.strictObject({ ...schema.shape, ...written, schemaPattern: noPattern, tables: askedTables }))
            .max(1_000)
            .nullish(),
          tables: askedTables,
        }),
      )
      .min(1)
      .max(100),
    aboutSchema,
  ),
  mappingDef: jsonText(
    z.array(z.strictObject({ ...rule.shape, serializeAutoGenRules: z.unknown().optional() })).max(1_000),
  ),
});

/** Whether the job adds tables that are created later and match its patterns. */
export function addsNewTables({ jobType, addNewTables, schemaWhiteListLevel }: NewJob): boolean {
  return jobType === 'SYNC' && (addNewTables || schemaWhiteListLevel === 'DB' || schemaWhiteListLevel === 'SCHEMA');
}

/** The same for two requests for the same job. */
export function requestHash(request: NewJob): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url');
}
