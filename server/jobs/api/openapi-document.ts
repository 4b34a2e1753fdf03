import { stringify } from 'yaml';
import { jobCalls, openApi } from '../../../client/contract/jobs/calls.ts';
import { liveEventSchemas } from '../../../client/contract/jobs/live-events.ts';
import type { JobCallRow } from './define-job-call.ts';
import { answerSchema, refusalSchema } from './envelope.ts';
import { jobCallRows } from './job-call-rows.ts';
import { OpenApiSchemas } from './openapi-schemas.ts';

const about = `Calls that create, start, monitor and end data jobs. Every call is a POST with JSON.

There are three ways to sign in; only the envelope of the answers differs.

- **Key as Bearer token** (recommended, over TLS): \`Authorization: Bearer <access key>.<secret>\`. Keys are created in the console.
- **Signed query**, for existing clients: \`AccessKeyId\`, \`SignatureMethod=HmacSHA1\`, \`SignatureNonce\` and \`Signature\`. The first three are sorted by name, percent-encoded and joined by \`&\`; the result is percent-encoded again; the signature is the Base64 of its HMAC-SHA1 with the secret. Neither path nor body is signed; each nonce is accepted once a day for each key.
- **Session of the console**: \`Authorization: Bearer <token>\`; answers have the console's envelope.

With a key, \`code\` is "1" for an answer and "0" for a refusal, with status 200 and the reason in \`msg\`. Status 499: a parameter is missing; 498: unknown key; 497: wrong signature or secret, or a used nonce.`;

/** The document of every call, OpenAPI 3.1. */
export function openApiDocument() {
  const schemas = new OpenApiSchemas();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Open API for data jobs',
      version: '1',
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }, { accessKey: [], method: [], nonce: [], signature: [] }, { session: [] }],
    tags: [...new Set(jobCallRows.map(({ group }) => group))].map((name) => ({ name })),
    paths: {
      ...Object.fromEntries(jobCallRows.map((call) => [call.path, { post: operation(schemas, call) }])),
      [jobCalls.jobEvents]: { get: events(schemas) },
    },
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: '`<access key>.<secret>`' },
        session: { type: 'http', scheme: 'bearer', description: 'Token of a console session.' },
        accessKey: query('AccessKeyId'),
        method: query('SignatureMethod'),
        nonce: query('SignatureNonce'),
        signature: query('Signature'),
      },
      responses: { Refused: refused(schemas) },
      // Of all operations above.
      schemas: schemas.components,
    },
  };
}

/** The document in YAML, as it is served. */
export function openApiText(): string {
  const note = '# Generated from the table of calls by `npm run openapi`: change the calls, not this file.\n';
  return note + stringify(openApiDocument(), { lineWidth: 120, aliasDuplicateObjects: false });
}

function query(name: string) {
  return { type: 'apiKey', in: 'query', name };
}

const other = { $ref: '#/components/responses/Refused' };

function refused(schemas: OpenApiSchemas) {
  return {
    description:
      'Refused. 400 the body is not valid · 401 no session · 413 the body is too large · 415 it is not JSON · 429 too many requests · 497 wrong signature or secret · 498 unknown key · 499 a parameter is missing · 502, 503, 504 the server cannot answer at the moment',
    content: { 'application/json': { schema: schemas.ofAnswer(refusalSchema) } },
  };
}

function operation(schemas: OpenApiSchemas, call: JobCallRow) {
  const schema = schemas.ofBody(call.schema);
  return {
    tags: [call.group],
    operationId: operationId(call.path),
    summary: call.summary,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema, example: call.example },
        ...(call.multipart && { 'multipart/form-data': { schema: form } }),
      },
    },
    responses: {
      '200': {
        description: 'The answer, or a refusal because of the current state.',
        content: { 'application/json': { schema: schemas.ofAnswer(answerSchema(call.data).or(refusalSchema)) } },
      },
      default: other,
    },
  };
}

const form = {
  type: 'object',
  required: ['dataSourceAddData'],
  properties: {
    dataSourceAddData: { type: 'string', description: 'The body as JSON text.' },
    securityFile: { type: 'string', format: 'binary', description: 'Certificate authority, PEM.' },
  },
};

function events(schemas: OpenApiSchemas) {
  return {
    tags: ['job'],
    operationId: 'job-events',
    summary: 'Server-sent events: every job at first, then what changes; a comment line every 10 s.',
    parameters: [
      { name: 'jobId', in: 'query', schema: { type: 'integer' }, description: 'One job; if missing, all jobs.' },
    ],
    responses: {
      '200': {
        description: `Events ${Object.keys(liveEventSchemas).join(', ')}: \`event\` is the name, \`data\` JSON that \`x-events\` describes by name.`,
        content: {
          'text/event-stream': {
            schema: { type: 'string' },
            'x-events': Object.fromEntries(
              Object.entries(liveEventSchemas).map(([kind, schema]) => [kind, schemas.ofAnswer(schema)]),
            ),
          },
        },
      },
      default: other,
    },
  };
}

/** `datajob-list` of `…/openapi/datajob/list`. */
function operationId(path: string): string {
  return path.replace(openApi, '').replace('/cloudcanal/console/api/v1/inner', '').slice(1).replaceAll('/', '-');
}
