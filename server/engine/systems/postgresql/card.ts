import { z } from 'zod';
import type { Card } from '../system.ts';
import { logNames } from './log-names.ts';
import { postgresRights } from './rights.ts';
import { postgresTypes } from './type-fits.ts';

/** What a data source of PostgreSQL stores. */
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
    description: 'Name of the database; one data source is one database.',
  }),
  user: z.string().min(1).max(63).meta({
    title: 'User',
    description: 'Role to sign in as; a source that is followed needs REPLICATION.',
  }),
  password: z.string().max(1024).default('').meta({
    title: 'Password',
    description: 'Stored encrypted and never sent back; empty where the server asks for none.',
  }),
  tls: z.enum(['disable', 'require', 'verify-ca', 'verify-full']).default('require').meta({
    title: 'TLS',
    description:
      'disable: plain text. require: encrypted, whoever answers. verify-ca: the certificate must come from the given authority. verify-full: it must also name the host.',
  }),
  ca: z.string().max(100_000).default('').meta({
    title: 'Certificate authority',
    description: 'PEM text for verify-ca and verify-full; empty for the authorities that Node.js trusts.',
  }),
  slot: z
    .string()
    .regex(/^[a-z0-9_]{0,63}$/, 'A slot has a name of at most 63 small letters, digits and underscores.')
    .default('')
    .meta({
      title: 'Replication slot',
      rare: true,
      description:
        'One that an administrator made with the plugin pgoutput, for the single job that follows this source: it is checked, and never made or removed. Empty: each job makes its own and removes it.',
    }),
  publication: z.string().max(63).default('').meta({
    title: 'Publication',
    rare: true,
    description:
      'One that an administrator made for the tables of the jobs: it is checked, and never altered or removed. Empty: each job makes its own and removes it.',
  }),
  failover: z.enum(['no', 'yes']).default('no').meta({
    title: 'Slot for failover',
    rare: true,
    description:
      'yes: from PostgreSQL 17 the slots of jobs are made such that standbys keep a copy in step. After a standby was promoted a job goes on there, if it has all that the target has.',
  }),
});

export type PostgresSettings = z.infer<typeof postgresSettings>;

export const postgresCard: Card = {
  family: 'postgresql',
  name: 'PostgreSQL',
  settings: postgresSettings,
  secrets: ['password'],
  source: true,
  target: true,
  removal(settings, job) {
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
