import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { isRecord, parseJson } from '../../client/browser/json.ts';
import { calls } from '../../client/contract/calls.ts';
import { startUpstream, type SeenCall as UpstreamCall } from '../../server/testing/upstream.ts';

/** How the console treats the bearer of a token; `broken` and `stuck` are the console's own failures. */
interface Bearer {
  user: { uid?: string; username?: string; email?: string };
  /** The current-user query answers 500. */
  broken?: boolean;
  /** Logging out answers 500. */
  stuck?: boolean;
  /** The session is over: every call that needs one answers 401. */
  dead?: boolean;
  /** The session is over after the current-user query. */
  ends?: boolean;
}

/** A call as it reached the console. */
export interface SeenCall {
  path: string;
  token: string | undefined;
  contentType: string | undefined;
  body: unknown;
}

/** A token that encodes how the console answers its bearer, so that tests can share one console. */
export function tokenOf(bearer: Bearer): string {
  return Buffer.from(JSON.stringify(bearer)).toString('base64url');
}

function bearerOf(token: string | undefined): Bearer | undefined {
  const value = parseJson(token === undefined ? null : Buffer.from(token, 'base64url').toString());
  return isRecord(value) && isRecord(value.user) ? { user: value.user, ...value } : undefined;
}

type Fields = Record<string, unknown>;
type Answer = [status: number, body?: object];

const ok = (data?: unknown): Answer => [200, { success: true, data }];
const refuse = (status: number, code: string): Answer => [status, { success: false, code, msg: 'Refused.' }];

interface CallKind {
  /** Names of the body's fields; a call without fields has no body at all. */
  fields?: readonly string[];
  /** Names of the optional fields. */
  optional?: readonly string[];
  needsSession?: boolean;
  answer(fields: Fields, bearer: Bearer | undefined): Answer;
}

const docker = { deployType: 'DOCKER', deployTypeName: 'Docker', version: '0.7.0' };
const archive = { deployType: 'ARCHIVE', deployTypeName: 'Archive', version: '0.7.0' };
const x86 = { cpuArch: 'X86', cpuArchName: 'x86-64' };
const arm = { cpuArch: 'ARM', cpuArchName: 'ARM64' };

/** What the console offers for download. */
const packages = [
  { productType: 'DOCKER_X86', ...docker, ...x86 },
  { productType: 'DOCKER_ARM', ...docker, ...arm },
  { productType: 'ARCHIVE_X86', ...archive, ...x86 },
];

const known: Record<string, CallKind> = {
  [calls.addViewLog]: { fields: ['src', 'kw', 'vbId', 'clientId', 'uid', 'uri'], answer: () => [204] },
  [calls.queryLoginUser]: {
    needsSession: true,
    answer: (_fields, bearer) => (bearer?.broken ? refuse(500, 'BROKEN') : ok(bearer?.user)),
  },
  [calls.logout]: {
    answer: (_fields, bearer) => (bearer?.stuck ? refuse(500, 'STUCK') : ok()),
  },
  // The identity provider's code is the token itself.
  [calls.auth]: {
    fields: ['code', 'state'],
    optional: ['iss'],
    answer: ({ code }) =>
      bearerOf(String(code)) ? ok({ token: code, expiresAt: Date.UTC(2030, 0, 2) }) : refuse(200, 'BAD_CODE'),
  },
  [calls.ssoType]: {
    fields: ['source', 'target'],
    answer: () => ok({ google: 'https://accounts.example/start' }),
  },
  [calls.listDownloadProduct]: {
    fields: ['orderProductType'],
    needsSession: true,
    answer: () => ok(packages),
  },
  [calls.recordAndReturnDownloadUrl]: {
    fields: ['productType', 'productVersionType'],
    needsSession: true,
    answer: ({ productType, productVersionType }) => {
      const direct = `https://files.example/${productType}/${productVersionType}.tar.gz`;
      return ok({
        version: '0.7.0',
        sha256: 'ab12',
        downloadUrl: { direct, wget: `wget ${direct}`, curl: `curl -O ${direct}` },
        expiresAt: Date.UTC(2030, 0, 2),
      });
    },
  },
};

/** Checks a call as the console backend does. */
function checkCall(kind: CallKind, { path, token, contentType }: SeenCall, text: string): Answer {
  const bearer = bearerOf(token);
  const over = !bearer || bearer.dead || (bearer.ends && path !== calls.queryLoginUser);
  if (kind.needsSession && over) return refuse(401, 'SIGNED_OUT');
  if (!kind.fields) return text || contentType ? refuse(400, 'NO_BODY_WANTED') : kind.answer({}, bearer);
  if (!/^application\/json\b/.test(contentType ?? '')) return refuse(415, 'NOT_JSON');
  const fields = parseJson(text);
  const needed = isRecord(fields) ? Object.keys(fields).filter((name) => !kind.optional?.includes(name)) : [];
  if (!isRecord(fields) || needed.sort().join() !== [...kind.fields].sort().join()) return refuse(400, 'WRONG_FIELDS');
  return Object.values(fields).every((value) => typeof value === 'string')
    ? kind.answer(fields, bearer)
    : refuse(400, 'WRONG_TYPES');
}

function answer(res: ServerResponse, [status, body]: Answer): void {
  res.writeHead(status, body && { 'Content-Type': 'application/json' }).end(body && JSON.stringify(body));
}

/** What the contract says about a call. */
function seenCall({ url = '', headers, body }: UpstreamCall): SeenCall {
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  return { path: url, token, contentType: headers['content-type'], body: parseJson(body || null) };
}

/** Where the process lists the calls from a visitor's address. */
const seenPath = '/seen/';

/** The process: answers the calls, and lists those received. */
async function serve(): Promise<void> {
  const console = await startUpstream((call, res) => {
    if (call.url?.startsWith(seenPath)) {
      const visitor = call.url.slice(seenPath.length);
      const own = console.seen.filter(({ headers }) => headers['x-forwarded-for'] === visitor);
      return answer(res, [200, own.map(seenCall)]);
    }
    const kind = known[call.url ?? ''];
    if (!kind) return answer(res, refuse(404, 'NOT_FOUND'));
    if (call.method !== 'POST') return answer(res, refuse(405, 'METHOD_NOT_ALLOWED'));
    answer(res, checkCall(kind, seenCall(call), call.body));
  });
  process.stdout.write(console.url);
}

function isSeenCall(value: unknown): value is SeenCall {
  return isRecord(value) && typeof value.path === 'string';
}

/** Starts a console backend as a separate process and waits until it listens. */
export async function startConsoleStandIn() {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('The console has no output.');
  const [first]: unknown[] = await once(child.stdout, 'data');
  return {
    url: String(first),
    async stop() {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

/** One visitor's view of a running console. */
export interface Console {
  url: string;
  /** The visitor's calls, oldest first; those of one path if given. */
  seen(path?: string): Promise<SeenCall[]>;
}

/** The console at an address, for the visitor at another address. */
export function consoleFor(url: string, visitor: string): Console {
  return {
    url,
    async seen(path) {
      const list: unknown = await (await fetch(url + seenPath + visitor)).json();
      const all = Array.isArray(list) ? list.filter(isSeenCall) : [];
      return path ? all.filter((call) => call.path === path) : all;
    },
  };
}

if (import.meta.main) await serve();
