import type { ZodType } from 'zod';
import type { Finding } from '../finding.ts';
import type { Sink } from '../sink.ts';
import type { Source } from '../source.ts';

/** What is known about a family without loading its driver; the web process reads only cards. */
export interface Card {
  family: string;
  /** As people write it, and as the open API names this type. */
  name: string;
  /** Checks what a data source stores; `.meta({ title, description })` of each setting is printed in forms and documents. */
  settings: ZodType;
  /** Settings that are encrypted at rest and never sent back. */
  secrets: readonly string[];
  source: boolean;
  target: boolean;
  /** What a data source's user must be allowed to do, by side; printed in documents. */
  rights: Readonly<Record<'source' | 'target', readonly Right[]>>;
  /** How values reach a target of the same family; printed in documents. */
  types: readonly TypeFit[];
  /**
   * The statements for manually removing what a job keeps on one of its sides.
   * @param settings as that side's data source stores them
   */
  removal(side: 'source' | 'target', settings: unknown, job: string): string;
}

/** A privilege that a job needs. */
export interface Right {
  /** In a few words. */
  name: string;
  /** When and for what it is needed, in one sentence. */
  why: string;
  /** The statement that grants it, with example names. */
  example: string;
}

/** Types that are replicated in the same way. */
export interface TypeFit {
  kind: string;
  /** As written in the system's DDL. */
  names: readonly string[];
  fit: 'exact' | 'refused';
  note: string;
}

/** A family with its driver; loaded only in child processes. */
export interface System {
  card: Card;
  /** Connects, and reports version and privileges. */
  test(settings: unknown): Promise<Finding[]>;
  /** The server's databases, with their schemas. */
  databases(settings: unknown): Promise<{ name: string; schemas: string[] }[]>;
  /** Does not connect before the first call. @param signal ends every wait */
  openSource(settings: unknown, signal: AbortSignal): Source;
  openSink(settings: unknown, signal: AbortSignal): Sink;
}
