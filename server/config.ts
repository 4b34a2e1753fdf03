import { resolve } from 'node:path';
import { type ZodType, z } from 'zod';

/** Everything an operator can set, parsed; see `settingsTable` for the meaning of each. */
export interface Config {
  port: number;
  host: string;
  /** Upstream of the calls, without a trailing slash. */
  apiBaseUrl: string;
  /** True when the operator named the upstream, false when `apiBaseUrl` is the fallback. */
  apiConfigured: boolean;
  publicUrl: string;
  cloudAppUrl: string;
  /** Addresses, networks and names of networks whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  dataDir: string;
  contentDir: string;
  strictContent: boolean;
  siteBrand: string;
  deploySite: string;
  /** Where authors edit content files, ending in a slash. */
  editUrl: string | undefined;
  /** True when events are also pushed to `window.dataLayer`. */
  dataLayer: boolean;
  logLevel: LogLevel;
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

const fallbackApi = 'http://127.0.0.1:8111';

/** What the parser throws: one sentence for each variable that is wrong. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The settings are not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

interface Setting<T> {
  /** As shown in the README. */
  shown: string;
  meaning: string;
  schema: ZodType<T>;
}

function setting<T>(shown: string, meaning: string, schema: ZodType<T>): Setting<T> {
  return { shown, meaning, schema };
}

const address = (message: string) =>
  z.string().transform((text, context) => {
    const url = URL.parse(text);
    const plain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
    if (!plain) {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    return url.href.replace(/\/+$/, '');
  });

const webAddress = address('must be an http or https address without credentials, query or fragment.');
const networkNames = ['loopback', 'linklocal', 'uniquelocal'] as const;
const proxiesMessage = `must be addresses, networks such as 10.0.0.0/8, or ${networkNames.join(', ')}, separated by commas.`;
// A network of all addresses would let everybody say who they are.
const proxy = z
  .union([z.enum(networkNames), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine((text) => !/\/0+$/.test(text));
const portMessage = 'must be a port number from 0 to 65535.';
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const settings = {
  PORT: setting(
    '`3000`',
    'Port the site listens on; 0 takes any free one.',
    z
      .string()
      .regex(/^\d{1,5}$/, portMessage)
      .transform(Number)
      .refine((port) => port < 65536, portMessage)
      .default(3000),
  ),
  HOST: setting(
    '`0.0.0.0`',
    'Network address the site listens on.',
    z
      .string()
      .regex(/^[\w.:-]+$/, 'must be a host name or an IP address.')
      .default('0.0.0.0'),
  ),
  API_BASE_URL: setting(
    `unset (\`${fallbackApi}\`)`,
    'Address of the console backend that answers the account calls.',
    webAddress.optional(),
  ),
  PUBLIC_URL: setting(
    '`http://localhost:PORT`',
    'Address of the site as visitors see it: canonical links, feeds and the sitemap are made from it; https here turns on HSTS.',
    address('must be an http or https address without credentials, path, query or fragment.')
      .refine((url) => new URL(url).pathname === '/', 'must not have a path: the site is served from the root.')
      .optional(),
  ),
  CLOUD_APP_URL: setting('`PUBLIC_URL/console`', 'Root address of the cloud app.', webAddress.optional()),
  TRUSTED_PROXIES: setting(
    'none',
    'Proxies in front whose `X-Forwarded-For` is believed, separated by commas: addresses, networks such as `10.0.0.0/8`, or the names `loopback`, `linklocal`, `uniquelocal`.',
    z
      .string()
      .transform((text) => text.split(',').map((entry) => entry.trim()))
      .refine((entries) => entries.every((entry) => proxy.safeParse(entry).success), proxiesMessage)
      .default([]),
  ),
  DATA_DIR: setting(
    '`./data`',
    'Folder for what the server keeps, such as the cache of compiled content.',
    z.string().default('./data'),
  ),
  CONTENT_DIR: setting(
    '`./content`',
    'Folder with `docs/` and `blog/`; whatever else is missing there comes from the built-in content.',
    z.string().default('./content'),
  ),
  STRICT_CONTENT: setting(
    '`off`',
    '`on`: a fault in the content ends the start instead of being reported.',
    z
      .enum(['on', 'off', 'true', 'false', '1', '0'], 'must be on or off.')
      .transform((text) => ['on', 'true', '1'].includes(text))
      .default(false),
  ),
  SITE_BRAND: setting(
    '`millrace`',
    'Brand whose name, logo and addresses the site shows: a file of `content/brand/`.',
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be the name of a brand file: lower-case letters, digits and hyphens.')
      .default('millrace'),
  ),
  DEPLOY_SITE: setting(
    'empty',
    '`china` sends verification codes by SMS, anything else by e-mail.',
    z
      .string()
      .regex(/^[\w-]*$/, 'must be one word.')
      .default(''),
  ),
  EDIT_URL: setting(
    'unset',
    'Where content files are edited, e.g. `https://git.example/site/edit/main/content`; documents then link to it.',
    webAddress.optional(),
  ),
  DATA_LAYER: setting(
    '`off`',
    '`on`: events such as `try_cloud_free` are also pushed to `window.dataLayer`, for a tag of your own.',
    z
      .enum(['on', 'off'], 'must be on or off.')
      .transform((text) => text === 'on')
      .default(false),
  ),
  LOG_LEVEL: setting(
    '`info`',
    `Least level that is logged: ${levels.map((level) => `\`${level}\``).join(', ')}.`,
    z.enum(levels, `must be one of ${levels.join(', ')}.`).default('info'),
  ),
};

const environment = z.object({
  PORT: settings.PORT.schema,
  HOST: settings.HOST.schema,
  API_BASE_URL: settings.API_BASE_URL.schema,
  PUBLIC_URL: settings.PUBLIC_URL.schema,
  CLOUD_APP_URL: settings.CLOUD_APP_URL.schema,
  TRUSTED_PROXIES: settings.TRUSTED_PROXIES.schema,
  DATA_DIR: settings.DATA_DIR.schema,
  CONTENT_DIR: settings.CONTENT_DIR.schema,
  STRICT_CONTENT: settings.STRICT_CONTENT.schema,
  SITE_BRAND: settings.SITE_BRAND.schema,
  DEPLOY_SITE: settings.DEPLOY_SITE.schema,
  EDIT_URL: settings.EDIT_URL.schema,
  DATA_LAYER: settings.DATA_LAYER.schema,
  LOG_LEVEL: settings.LOG_LEVEL.schema,
});

/** Reads the settings from environment variables; an empty variable counts as unset. Throws a ConfigError with every fault. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.keys(settings).flatMap((name) => (env[name]?.trim() ? [[name, env[name].trim()]] : [])),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  }
  const { data } = parsed;
  const publicUrl = data.PUBLIC_URL ?? `http://localhost:${data.PORT}`;
  return {
    port: data.PORT,
    host: data.HOST,
    apiBaseUrl: data.API_BASE_URL ?? fallbackApi,
    apiConfigured: data.API_BASE_URL !== undefined,
    publicUrl,
    cloudAppUrl: data.CLOUD_APP_URL ?? `${publicUrl}/console`,
    trustedProxies: data.TRUSTED_PROXIES,
    dataDir: resolve(data.DATA_DIR),
    contentDir: resolve(data.CONTENT_DIR),
    strictContent: data.STRICT_CONTENT,
    siteBrand: data.SITE_BRAND,
    deploySite: data.DEPLOY_SITE,
    editUrl: data.EDIT_URL,
    dataLayer: data.DATA_LAYER,
    logLevel: data.LOG_LEVEL,
  };
}

/** The README's table of settings, in markdown. */
export function settingsTable(): string {
  const rows = Object.entries(settings).map(([name, { shown, meaning }]) => `| \`${name}\` | ${shown} | ${meaning} |`);
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
