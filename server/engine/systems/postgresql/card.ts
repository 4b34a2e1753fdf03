import { z } from 'zod';
import type { Card } from '../system.ts';
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
});

export type PostgresSettings = z.infer<typeof postgresSettings>;

export const postgresCard: Card = {
  family: 'postgresql',
  name: 'PostgreSQL',
  settings: postgresSettings,
  secrets: ['password'],
  source: true,
  target: true,
  rights: postgresRights,
  types: postgresTypes,
};
