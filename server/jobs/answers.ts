import { z } from 'zod';
import { parkedOps } from '../engine/mark.ts';

/** Answers of child processes to the questions in protocol.ts. */

export const findingsAnswer = z.array(
  z.object({
    type: z.string(),
    side: z.enum(['source', 'target']),
    result: z.enum(['passed', 'warning', 'fault']),
    sentence: z.string(),
    sql: z.string().optional(),
    table: z.string().optional(),
    needsConsent: z.boolean().optional(),
  }),
);

export const databasesAnswer = z.array(z.object({ name: z.string(), schemas: z.array(z.string()) }));

export const catalogAnswer = z.array(
  z.object({
    id: z.string(),
    schema: z.string(),
    name: z.string(),
    columns: z.array(z.object({ name: z.string(), type: z.string(), nullable: z.boolean(), generated: z.boolean() })),
    key: z.array(z.number()),
    exactKey: z.boolean(),
    ordered: z.boolean(),
    size: z.object({ rows: z.number(), bytes: z.number() }),
  }),
);

export const planAnswer = z.array(
  z.object({
    kind: z.enum([
      'schema',
      'type',
      'table',
      'partition',
      'key',
      'column',
      'index',
      'check',
      'foreign-key',
      'sequence',
    ]),
    phase: z.enum(['before', 'after']),
    table: z.string(),
    sql: z.string(),
    exists: z.boolean(),
    note: z.string().optional(),
  }),
);

export const parkedAnswer = z.array(
  z.object({
    number: z.number(),
    key: z.array(z.string()),
    op: z.enum(parkedOps),
    position: z.string(),
    code: z.string(),
    at: z.number(),
  }),
);

/** `release` returns nothing. */
export const nothingAnswer = z.unknown();
