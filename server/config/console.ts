import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { z } from 'zod';
import { marketplaceGroups, marketplaceSettings } from './marketplace.ts';
import { isNetwork } from './network.ts';
import { type Environment, givenOf, readSettings } from './read-settings.ts';
import { siteSettings } from './site.ts';
import { loopback, ssoGroups, ssoSettings } from './sso.ts';

const ed25519 = z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string().length(43) });

function isEd25519(text: string): boolean {
  try {
    return ed25519.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** The address of a PostgreSQL socket has no host, and `URL` needs one. */
const readAddress = (text: string) => URL.parse(text.replace('@/', '@socket/'));

/** Several hosts as libpq writes them, in the address itself or in its query: `one:5432,two:5432`. */
const severalHosts = /^\w+:\/\/(?:[^/?]*@)?[^/?@]*,[^/?@]*(?:[/?]|$)|[?&]host=[^&]*(?:,|%2C)/i;

/** Part of an unescaped password would be read as the host, the path or the query. */
function addressOfServer(protocol: RegExp, example: string) {
  return z
    .string()
    .refine((text) => !severalHosts.test(text), {
      error: 'must name one host: for several servers, name a proxy that leads to the primary.',
      abort: true,
    })
    .refine((text) => {
      const url = readAddress(text);
      return url && protocol.test(url.protocol) && url.hash === '' && !(url.pathname + url.search).includes('@');
    }, `must be an address such as ${example}, with #, /, ? and @ of the password written as %23, %2F, %3F and %40.`);
}

/** The driver silently takes any other mode for the strictest one. */
const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** What is wrong with how an address asks PostgreSQL for TLS. */
function tlsFaults(address: string): string[] {
  const query = readAddress(address)?.searchParams;
  const mode = query?.get('sslmode');
  const unknown =
    mode && !sslModes.includes(mode) ? [`has the sslmode ${mode}: it must be one of ${sslModes.join(', ')}.`] : [];
  const unreadable = ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => {
    const file = query?.get(name);
    return file && !isReadable(file)
      ? [`names ${file} as its ${name}, which is not a file that the server can read.`]
      : [];
  });
  return [...unknown, ...unreadable];
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const countFromOne = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number, 1 or more.')
  .transform(Number);

const paymentGroups = [['stripeSecretKey', 'stripeWebhookSecret']] as const;

/** Site settings that the console backend also reads. */
const shared = siteSettings.pick({
  port: true,
  publicUrl: true,
  cloudAppUrl: true,
  dataDir: true,
  contentDir: true,
  siteBrand: true,
  deploySite: true,
  allowPlainPassword: true,
  logLevel: true,
});

/** Every setting specific to the console backend; `shown` is the default as the README prints it. */
export const consoleSettings = z.object({
  consolePort: z
    .string()
    .refine((text) => !/^(?:tcp|udp|sctp):/.test(text), {
      error:
        'is an address, as Kubernetes sets it for a service named console: set it to a port number, or set enableServiceLinks to false in the pod.',
      abort: true,
    })
    .regex(/^\d{1,5}$/, 'must be a port number from 0 to 65535.')
    .transform(Number)
    .refine((port) => port < 65536, 'must be a port number from 0 to 65535.')
    .default(8111)
    .meta({
      shown: '`8111`',
      meaning:
        'Port of the console backend on the loopback address; 0 takes any free one. Not used while `API_BASE_URL` is set.',
    }),
  databaseUrl: addressOfServer(/^postgres(?:ql)?:$/, 'postgres://user:password@host:5432/database')
    .superRefine((text, context) => {
      for (const message of tlsFaults(text)) context.addIssue({ code: 'custom', message });
    })
    .optional()
    .meta({
      shown: 'unset',
      meaning:
        'PostgreSQL 15 or later for accounts, orders and bills, e.g. `postgres://user:password@host:5432/millrace`; `?sslmode=require` connects by TLS and checks the certificate (`sslrootcert` names its authority), `no-verify` does not check it; unset: the file `console.sqlite` in `DATA_DIR`.',
    }),
  smtpUrl: addressOfServer(/^smtps?:$/, 'smtps://user:password@mail.example.com')
    .optional()
    .meta({
      shown: 'unset',
      meaning:
        'Mail server, e.g. `smtps://user:password@mail.example.com`; unset: mails become files in `DATA_DIR/outbox`.',
    }),
  mailFrom: z
    .string()
    .max(320)
    .regex(/[^\s<>@]@[^\s<>@]/, 'must contain an e-mail address, such as Millrace <no-reply@example.com>.')
    .optional()
    .meta({
      shown: '`no-reply@` and the host of `PUBLIC_URL`',
      meaning:
        'Sender of mails, e.g. `Millrace <no-reply@example.com>`; needed with a mail server on another machine while `PUBLIC_URL` is unset.',
    }),
  smsUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address.' })
    .optional()
    .meta({
      shown: 'unset',
      meaning:
        'Gateway that takes `POST {"to": "+86…", "text": "…"}` as JSON and answers 2xx, or 4xx if it wants no such message (such as 400 or 422; 404 and answers about the token concern them all); unset: messages become files in `DATA_DIR/outbox`.',
    }),
  smsToken: z.string().optional().meta({ shown: 'unset', meaning: 'Bearer token for `SMS_URL`.' }),
  stripeSecretKey: z.string().min(8, 'must be a Stripe key.').optional().meta({
    shown: 'unset',
    meaning:
      'Stripe secret key; with `STRIPE_WEBHOOK_SECRET` it turns on payment by card. Without it orders are paid by bank transfer.',
  }),
  stripeWebhookSecret: z.string().min(8, 'must be a Stripe signing secret.').optional().meta({
    shown: 'unset',
    meaning:
      'Signing secret of the webhook at `PUBLIC_URL/webhooks/stripe`, which needs the events `checkout.session.completed` and `checkout.session.async_payment_succeeded`, and for refunds and disputes to be seen at once, not within the hour, `refund.created`, `refund.updated`, `refund.failed`, `charge.dispute.created` and `charge.dispute.closed`.',
  }),
  stripeApiUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address.' })
    .optional()
    .meta({ shown: 'unset', meaning: 'Alternative address of the payment service, for tests.' }),
  secretKey: z.string().min(32, 'must have at least 32 characters.').optional().meta({
    shown: 'unset',
    meaning:
      'Key that encrypts and signs stored data, at least 32 characters; unset: a file in `DATA_DIR`. Several servers on one database need the same key.',
  }),
  invoiceFont: z
    .string()
    .refine((file) => existsSync(file), 'must be a font file that exists.')
    .optional()
    .meta({
      shown: 'unset',
      meaning:
        'Font file (TTF or OTF) for invoices, for names with letters that the built-in fonts lack, such as Chinese: they have Latin, Greek, Cyrillic, Hebrew and Arabic ones. Letters that no font has are named in the log.',
    }),
  licencePublicKey: z
    .string()
    .refine(isEd25519, 'must be a public key as `npm run licence -- public-key` prints it for the seller.')
    .optional()
    .meta({
      shown: 'unset',
      meaning:
        'Public key of the seller whose licences this installation needs, one line of JSON as `npm run licence -- public-key` prints it there. Without a valid authorization code the installation then has only the links of the community edition. Unset: no limits.',
    }),
  jobsFor: z.enum(['owner', 'all'], 'must be owner or all.').default('owner').meta({
    shown: '`owner`',
    meaning:
      "Who may have data jobs. `owner`: the first account of the installation and the accounts it admits (`npm run account -- admit <e-mail>`); their jobs may connect to every network, except to cloud metadata addresses and the server's own store and ports. `all`: every account; private networks are refused unless `JOB_NETWORKS` lists them.",
  }),
  jobNetworks: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine((networks) => networks.every(isNetwork), 'must be networks such as 10.0.0.0/8, separated by commas.')
    .optional()
    .meta({
      shown: 'unset',
      meaning: 'Private networks that jobs may reach with `JOBS_FOR=all`, e.g. `10.20.0.0/16,fd00:1::/64`.',
    }),
  jobPlaces: countFromOne.default(4).meta({
    shown: '`4`',
    meaning:
      'How many jobs that finish on their own (structure, full copy) run at once; further ones wait for a free place. Jobs that follow changes are not counted.',
  }),
  jobPlacesMemoryMb: countFromOne.default(4096).meta({
    shown: '`4096`',
    meaning: 'Total memory in MB for the sizes of those jobs; a larger job runs only while no other does.',
  }),
  ...ssoSettings,
  ...marketplaceSettings,
});

const schema = z.object({ ...shared.shape, ...consoleSettings.shape });

/** The fault of mails that would come from an address that no other server accepts. */
function senderFaults(env: Environment): string[] {
  const { smtpUrl, mailFrom, publicUrl } = Object.fromEntries(givenOf(schema, env));
  // A mail server on this machine is usually there for testing.
  if (smtpUrl === undefined || mailFrom || publicUrl || loopback.has(URL.parse(smtpUrl)?.hostname ?? '')) return [];
  return ['MAIL_FROM must be set with SMTP_URL while PUBLIC_URL is unset: mails would come from no-reply@localhost.'];
}

/** All operator settings of the console backend, with the values derived from them. */
export type ConsoleConfig = ReturnType<typeof readConsoleConfig>;

/**
 * Reads the console backend's settings from environment variables.
 * @throws ConfigError with every fault
 */
export function readConsoleConfig(env: Environment) {
  const groups = [...paymentGroups, ...ssoGroups, ...marketplaceGroups];
  const settings = readSettings(schema, env, groups, senderFaults(env));
  const publicUrl = settings.publicUrl ?? `http://localhost:${settings.port}`;
  return { ...settings, publicUrl, cloudAppUrl: settings.cloudAppUrl ?? `${publicUrl}/console` };
}
