import { z } from 'zod';
import { openApi } from '../../../client/contract/jobs/calls.ts';
import { type KeyGroup, keyGroups } from '../../../client/contract/jobs/key-groups.ts';
import { inPlainWords, invalidFields, issuesOf } from '../../http/invalid-fields.ts';
import { JobError } from '../errors.ts';
import type { JobServices } from '../services.ts';

/** Who makes a call, and with what credentials. */
export interface Caller {
  uid: string;
  by: { kind: 'key'; name: string } | { kind: 'session'; id: string };
}

/** One row of the table of job calls, from which the OpenAPI document is generated too. */
export interface JobCallRow {
  /** Exact path; the method is POST. */
  path: string;
  group: KeyGroup;
  /** One sentence for the document. */
  summary: string;
  schema: z.ZodType;
  /** What it returns: `data` of the envelope. */
  data: z.ZodType;
  /** A body that the schema accepts, for the document and its test. */
  example: object;
  /** Up to 1 MB and 40 levels instead of 32 kB and 10. */
  large: boolean;
  /** Also accepts a multipart form, whose files and fields are the body. */
  multipart: boolean;
  answer(raw: unknown, caller: Caller, services: JobServices): Promise<unknown>;
}

interface Definition<Body, Data> {
  summary: string;
  body: z.ZodType<Body>;
  data: z.ZodType<Data>;
  example?: object;
  large?: boolean;
  multipart?: boolean;
}

type Answer<Body, Data> = (body: Body, caller: Caller, services: JobServices, raw: unknown) => Promise<NoInfer<Data>>;

/** A call of the open API, `group/call`. Fields that its schema does not name are ignored. */
export function openCall<Body, Data>(
  name: `${KeyGroup}/${string}`,
  definition: Definition<Body, Data>,
  answer: Answer<Body, Data>,
): JobCallRow {
  return define(`${openApi}/${name}`, name, definition, answer);
}

/** A call that the open API lacks; its schema is strict. @param name `group/call` below the console's own calls */
export function innerCall<Body, Data>(
  name: `${KeyGroup}/${string}`,
  definition: Definition<Body, Data>,
  answer: Answer<Body, Data>,
): JobCallRow {
  return define(`/cloudcanal/console/api/v1/inner/${name}`, name, definition, answer);
}

function define<Body, Data>(
  path: string,
  name: string,
  definition: Definition<Body, Data>,
  answer: Answer<Body, Data>,
): JobCallRow {
  const { summary, body, data, example = {}, large = false, multipart = false } = definition;
  return {
    path,
    group: groupOf(name),
    summary,
    schema: body,
    data,
    example,
    large,
    multipart,
    answer: async (raw, caller, services) => answer(parseBody(body, raw ?? {}), caller, services, raw ?? {}),
  };
}

const groups = z.enum(keyGroups);

function groupOf(name: string): KeyGroup {
  return groups.parse(name.split('/')[0]);
}

const fieldsOf = z.record(z.string(), z.unknown());

/** @throws JobError MISSING_PARAMETER or HttpError INVALID_FIELDS, each with a sentence per field */
function parseBody<Body>(schema: z.ZodType<Body>, raw: unknown): Body {
  const parsed = schema.safeParse(raw, inPlainWords);
  if (parsed.success) return parsed.data;
  const given = fieldsOf.safeParse(raw).data ?? {};
  const issues = issuesOf(parsed.error);
  const missing = issues
    .map(({ path }) => String(path[0] ?? 'body'))
    .filter((name) => given[name] === undefined || given[name] === null);
  if (missing.length === 0 || issues.some(({ code }) => code === 'unrecognized_keys')) {
    throw invalidFields(parsed.error);
  }
  const names = [...new Set(missing)];
  throw new JobError('MISSING_PARAMETER', `Missing: ${names.join(', ')}.`, {
    fields: Object.fromEntries(names.map((name) => [name, 'is missing.'])),
  });
}
