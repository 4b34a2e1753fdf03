import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { logLevels } from '../log-levels.ts';
import { readCapabilities } from './capabilities.ts';
import { isOneSlipAway } from './misspelt-settings.ts';
import { readSettings } from './read-settings.ts';

const fallbackApi = 'http://127.0.0.1:8111';

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
// A network of all addresses would let every client choose its own address.
const proxy = z
  .union([z.enum(networkNames), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine((text) => !/\/0+$/.test(text));
const httpsAddress = z
  .string()
  .refine((text) => /^https:\/\/\S+$/.test(text) && URL.canParse(text), 'must be an https address.');
const contact = z.union(
  [
    z.email().transform((text) => `mailto:${text}`),
    z.string().regex(/^(?:mailto:[^\s@]+@[^\s@]+|tel:\+[\d-]+)$/),
    httpsAddress,
  ],
  'must be e-mail addresses, or mailto:, tel: or https: addresses, separated by commas.',
);
const portMessage = 'must be a port number from 0 to 65535.';
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number; 0 removes the limit.')
  .transform(Number);

/** Every setting of the site; `shown` is the default as the README prints it. */
export const siteSettings = z.object({
  port: z
    .string()
    .regex(/^\d{1,5}$/, portMessage)
    .transform(Number)
    .refine((port) => port < 65536, portMessage)
    .default(3000)
    .meta({ shown: '`3000`', meaning: 'Port the site listens on; 0 takes any free one.' }),
  host: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a host name or an IP address.')
    .default('0.0.0.0')
    .meta({ shown: '`0.0.0.0`', meaning: 'Network address the site listens on.' }),
  apiBaseUrl: webAddress.optional().meta({
    shown: 'unset',
    meaning: 'Another console backend for the account calls; unset: the backend in this process answers them.',
  }),
  publicUrl: address('must be an http or https address without credentials, path, query or fragment.')
    .refine((url) => new URL(url).pathname === '/', 'must not have a path: the site is served from the root.')
    .optional()
    .meta({
      shown: '`http://localhost:PORT`',
      meaning:
        'Address of the site as visitors see it, used for canonical links, feeds and the sitemap, and for links in mails, invoices and the way back from payment; https here turns on HSTS.',
    }),
  cloudAppUrl: webAddress.optional().meta({ shown: '`PUBLIC_URL/console`', meaning: 'Root address of the cloud app.' }),
  trustedProxies: z
    .string()
    .transform((text) => text.split(',').map((entry) => entry.trim()))
    .refine((entries) => entries.every((entry) => proxy.safeParse(entry).success), proxiesMessage)
    .default([])
    .meta({
      shown: 'none',
      meaning:
        'Proxies in front whose `X-Forwarded-For` is trusted, separated by commas: addresses, networks such as `10.0.0.0/8`, or the names `loopback`, `linklocal`, `uniquelocal`.',
    }),
  maxRequestsPerMinute: wholeNumber.default(6_000).meta({
    shown: '`6000`',
    meaning: 'Requests per minute from one address; further ones are answered with 429. 0: no limit.',
  }),
  maxConnectionsPerAddress: wholeNumber.default(1_000).meta({
    shown: '`1000`',
    meaning: 'Open connections from one address; requests on further ones are answered with 429. 0: no limit.',
  }),
  securityContact: z
    .string()
    .transform((text) => text.split(',').map((entry) => entry.trim()))
    .pipe(z.array(contact))
    .default([])
    .meta({
      shown: 'none',
      meaning:
        'Contacts for reporting a vulnerability: e-mail addresses, `tel:` or `https:` addresses, separated by commas, the preferred one first. If set, `/.well-known/security.txt` is served.',
    }),
  securityPolicy: httpsAddress.optional().meta({
    shown: 'unset',
    meaning: 'Address of the page that says how vulnerability reports are handled, for the same file.',
  }),
  securityEncryption: z
    .string()
    .regex(/^(?:https:\/\/|dns:|openpgp4fpr:)\S+$/, 'must be an https:, dns: or openpgp4fpr: address.')
    .optional()
    .meta({ shown: 'unset', meaning: 'Address of the key for encrypting such reports, for the same file.' }),
  dataDir: z.string().default('./data').transform(resolveDataDir).meta({
    shown: '`./data`',
    meaning: 'Folder for what the server keeps, such as the cache of compiled content.',
  }),
  contentDir: z.string().default('./content').transform(resolveFolder).meta({
    shown: '`./content`',
    meaning: 'Folder with `docs/` and `blog/`; anything else missing there comes from the built-in content.',
  }),
  strictContent: z
    .enum(['on', 'off', 'true', 'false', '1', '0'], 'must be on or off.')
    .transform((text) => ['on', 'true', '1'].includes(text))
    .default(false)
    .meta({ shown: '`off`', meaning: '`on`: a fault in the content aborts the start instead of only being reported.' }),
  siteBrand: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be the name of a brand file: lower-case letters, digits and hyphens.')
    .default('millrace')
    .meta({
      shown: '`millrace`',
      meaning: 'Brand whose name, logo and addresses the site shows: a file in `content/brand/`.',
    }),
  deploySite: z
    .string()
    .regex(/^[\w-]*$/, 'must be one word.')
    .refine(
      (text) => text === 'china' || !isOneSlipAway(text.toLowerCase(), 'china'),
      'is nearly china: write china for codes by SMS, or another word for codes by e-mail.',
    )
    .default('')
    .meta({ shown: 'empty', meaning: '`china` sends verification codes by SMS, anything else by e-mail.' }),
  allowPlainPassword: z
    .enum(['on', 'off'], 'must be on or off.')
    .transform((text) => text === 'on')
    .default(false)
    .meta({
      shown: '`off`',
      meaning:
        '`on`: passwords are also accepted in plain text, for browsers without WebCrypto (plain http outside localhost).',
    }),
  editUrl: webAddress.optional().meta({
    shown: 'unset',
    meaning:
      'Where content files are edited, e.g. `https://git.example/site/edit/main/content`; documents then link to it.',
  }),
  dataLayer: z
    .enum(['on', 'off'], 'must be on or off.')
    .transform((text) => text === 'on')
    .default(false)
    .meta({
      shown: '`off`',
      meaning: '`on`: events such as `try_cloud_free` are also pushed to `window.dataLayer`, for your own tags.',
    }),
  logLevel: z
    .enum(logLevels, `must be one of ${logLevels.join(', ')}.`)
    .default('info')
    .meta({
      shown: '`info`',
      meaning: `Lowest level that is logged: ${logLevels.map((level) => `\`${level}\``).join(', ')}.`,
    }),
});

/** The settings that SECURITY.md lists. */
export const securitySettings = siteSettings.pick({
  securityContact: true,
  securityPolicy: true,
  securityEncryption: true,
});

function resolveFolder(path: string): string {
  return resolve(path);
}

function resolveDataDir(path: string, context: z.RefinementCtx): string {
  const folder = resolve(path);
  const file = fileOf(folder);
  if (file !== undefined)
    context.addIssue({
      code: 'custom',
      message: `must be a folder or the name of a new one; ${file} is not a folder.`,
    });
  return folder;
}

/** The file that a path names or leads through, if any: such a path cannot be a folder. */
function fileOf(path: string): string | undefined {
  for (let part = path; part !== dirname(part); part = dirname(part)) {
    if (existsSync(part)) return statSync(part).isDirectory() ? undefined : part;
    // No folder can be created in the place of a link to nothing.
    if (isLink(part)) return part;
  }
  return undefined;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** All operator settings with the values derived from them; see `siteSettings` for the meaning of each. */
export type SiteConfig = ReturnType<typeof readSiteConfig>;

/**
 * Reads the site's settings from environment variables.
 * @throws ConfigError with every fault
 */
export function readSiteConfig(env: Readonly<Record<string, string | undefined>>) {
  const settings = readSettings(siteSettings, env);
  const publicUrl = settings.publicUrl ?? `http://localhost:${settings.port}`;
  return {
    ...settings,
    publicUrl,
    isPublicUrlSet: settings.publicUrl !== undefined,
    cloudAppUrl: settings.cloudAppUrl ?? `${publicUrl}/console`,
    apiBaseUrl: settings.apiBaseUrl ?? fallbackApi,
    /** True when no other backend is named: the one in this process answers. */
    embeddedBackend: settings.apiBaseUrl === undefined,
    capabilities: readCapabilities(env),
  };
}
