import { z } from 'zod';
import { markTables } from '../../sql/mark-tables.ts';
import type { Card } from '../system.ts';
import { logNames } from './log-names.ts';
import { postgresRights } from './rights.ts';
import { postgresTypes } from './type-fits.ts';

/** What a PostgreSQL data source stores. */
export const postgresSettings = z.strictObject({
  host: z.string().min(1).max(255).meta({
    title: 'Host',
    description: 'Name or address of the database server itself, not of a connection pooler.',
  }),
  port: z.int().min(1).max(65_535).default(5432).meta({
    title: 'Port',
    description: 'TCP port of the server.',
  }),
  database: z.string().min(1).max(63).meta({
    title: 'Database',
    description: 'Database name; each data source is one database.',
  }),
  user: z.string().min(1).max(63).meta({
    title: 'User',
    description: 'Role to sign in as; to follow changes, a source needs REPLICATION.',
  }),
  password: z.string().max(1024).default('').meta({
    title: 'Password',
    description: 'Stored encrypted and never sent back; empty if the server asks for none.',
  }),
  tls: z.enum(['disable', 'require', 'verify-ca', 'verify-full']).default('require').meta({
    title: 'TLS',
    description:
      'disable: plain text. require: encrypted, without checking who answers. verify-ca: the certificate must come from the given authority. verify-full: it must also name the host.',
  }),
  ca: z.string().max(100_000).default('').meta({
    title: 'Certificate authority',
    description: 'PEM text for verify-ca and verify-full; if empty, the authorities that Node.js trusts.',
  }),
  slot: z
    .string()
    .regex(/^[a-z0-9_]{0,63}$/, 'A slot name has at most 63 lowercase letters, digits and underscores.')
    .default('')
    .meta({
      title: 'Replication slot',
      rare: true,
      description:
        'A slot that an administrator created with the pgoutput plugin for the single job that follows this source. It is checked, but never created or removed. If empty, each job creates its own slot and removes it.',
    }),
  publication: z.string().max(63).default('').meta({
    title: 'Publication',
    rare: true,
    description:
      "A publication that an administrator created for the jobs' tables. It is checked, but never altered or removed. If empty, each job creates its own publication and removes it.",
  }),
  failover: z.enum(['no', 'yes']).default('no').meta({
    title: 'Slot for failover',
    rare: true,
    description:
      'yes: from PostgreSQL 17 on, job slots are created so that standbys keep a synchronised copy. After a standby is promoted, a job continues there if the standby has everything that the target has.',
  }),
});

const place = 'Give only the host here: scheme, user, password, port and database have fields of their own.';

/** A host as people enter it; what else they paste, such as a URL with a password, is refused. */
const askedHost = z
  .string()
  .trim()
  .overwrite((host) => host.replace(/^\[([^\]]*)\]$/, '$1'))
  .min(1)
  .max(255)
  .refine((host) => host.startsWith('/') || !/[/@?[\]]|^[^:]*:[^:]*$/.test(host), place)
  .refine((host) => host.startsWith('/') || !/[\s,;]/.test(host), 'Give one host, without spaces or commas.')
  .refine((host) => !host.includes('/.s.PGSQL.'), 'Give the folder of the socket: its port is a field of its own.')
  .meta(postgresSettings.shape.host.meta() ?? {});

/** What is accepted from people; what is stored already is used as it is. */
const askedSettings = postgresSettings.extend({ host: askedHost });

export type PostgresSettings = z.infer<typeof postgresSettings>;

export const postgresCard: Card = {
  family: 'postgresql',
  name: 'PostgreSQL',
  settings: askedSettings,
  secrets: ['password'],
  source: true,
  target: true,
  removal(side, settings, job) {
    if (side === 'target')
      return markTables.map((name) => `DELETE FROM millrace.${name} WHERE job = '${job}';`).join(' ');
    const { slot, publication, ownsSlot, ownsPublication } = logNames(postgresSettings.parse(settings), job);
    return [
      ownsSlot && `SELECT pg_drop_replication_slot('${slot}');`,
      ownsPublication && `DROP PUBLICATION IF EXISTS ${publication};`,
    ]
      .filter(Boolean)
      .join(' ');
  },
  rights: postgresRights,
  types: postgresTypes,
};
