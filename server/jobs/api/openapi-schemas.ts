import { z } from 'zod';

const schemaText = z.record(z.string(), z.unknown());

/** Turns the schemas of calls into those of the document; schemas with an `id` are collected as its components. */
export class OpenApiSchemas {
  /** By name. */
  readonly components: Record<string, unknown> = {};

  /** What a client sends. */
  ofBody(schema: z.ZodType) {
    return this.#add(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  }

  /** What it gets; more fields may come with a later version. */
  ofAnswer(schema: z.ZodType) {
    return this.#add(z.toJSONSchema(schema, { io: 'output', override: ({ jsonSchema }) => loosen(jsonSchema) }));
  }

  #add(jsonSchema: object) {
    const text = JSON.stringify(jsonSchema).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $schema: _, $defs = {}, ...schema } = schemaText.parse(JSON.parse(text));
    Object.assign(this.components, schemaText.parse($defs));
    return schema;
  }
}

function loosen(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.type !== 'integer') return;
  // Numbers and moments need more than 32 bits.
  schema.format = 'int64';
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
