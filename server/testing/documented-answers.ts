import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { jobCallRows } from '../jobs/api/job-call-rows.ts';
import { openApiDocument } from '../jobs/api/openapi-document.ts';

const schema = z.record(z.string(), z.unknown());
const json = z.object({ content: z.object({ 'application/json': z.object({ schema }) }) });
const stream = z.object({
  content: z.object({ 'text/event-stream': z.object({ 'x-events': z.record(z.string(), schema) }) }),
});
const shape = z.object({
  paths: z.record(z.string(), z.object({ post: z.object({ responses: z.object({ 200: json }) }).optional() })),
  components: z.object({ responses: z.object({ Refused: json }), schemas: schema }),
});

const events = z.object({
  paths: z.object({ [jobCalls.jobEvents]: z.object({ get: z.object({ responses: z.object({ 200: stream }) }) }) }),
});

const jobCallPaths = new Set(jobCallRows.map(({ path }) => path));
const compiled = new Map<unknown, ValidateFunction>();
let known: ReturnType<typeof readDocument> | undefined;

/** The document, read on first use: most files of tests make no call for jobs. */
function documented() {
  known ??= readDocument();
  return known;
}

function readDocument() {
  const document: unknown = JSON.parse(JSON.stringify(openApiDocument()), closed);
  const ajv = new Ajv2020({ formats: { int64: true } });
  ajv.addVocabulary(['components']);
  const live = events.parse(document).paths[jobCalls.jobEvents]?.get.responses[200].content['text/event-stream'];
  return { ajv, ...shape.parse(document), events: live?.['x-events'] };
}

/** Clients must ignore fields that they do not know; of ours, each is in the document. */
function closed(_name: string, value: unknown): unknown {
  const found = schema.safeParse(value).data;
  if (found?.type !== 'object' || !found.properties || 'additionalProperties' in found) return value;
  return { ...found, additionalProperties: false };
}

function require(what: string, schema: object, value: unknown): void {
  const { ajv, components } = documented();
  const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components });
  compiled.set(schema, validate);
  if (validate(value)) return;
  const faults = ajv.errorsText(validate.errors, { dataVar: what });
  throw new Error(`The answer is not as the OpenAPI document says. ${faults}: ${JSON.stringify(value)}`);
}

/** Holds an answer against the OpenAPI document, if it is that of a call for jobs. @throws if it differs */
export function requireDocumented(path: string, status: number, body: unknown): void {
  const [address = ''] = path.split('?');
  const operation = jobCallPaths.has(address) ? documented().paths[address]?.post : undefined;
  if (!operation) return;
  const response = status === 200 ? operation.responses[200] : documented().components.responses.Refused;
  require(path, response.content['application/json'].schema, body);
}

/** Holds a live event against the OpenAPI document. @throws if it differs */
export function requireDocumentedEvent(kind: string, data: unknown): void {
  const schema = documented().events?.[kind];
  if (!schema) throw new Error(`The OpenAPI document has no event ${kind}.`);
  require(kind, schema, data);
}
