import type { ZodType } from 'zod';
import type { Finding } from '../finding.ts';
import type { Sink } from '../sink.ts';
import type { Source } from '../source.ts';

/** What is known of a family without loading its driver; the web process reads cards alone. */
export interface Card {
  family: string;
  /** As people write it, and as the open API names the type. */
  name: string;
  /** Checks what a data source stores; `.meta({ title, description })` of each setting is printed in forms and documents. */
  settings: ZodType;
  /** Settings that are encrypted at rest and never sent back. */
  secrets: readonly string[];
  source: boolean;
  target: boolean;
  /** What the user of a data source must be allowed, by side; printed in documents. */
  rights: Readonly<Record<'source' | 'target', readonly Right[]>>;
  /** How values come to a target of the same family; printed in documents. */
  types: readonly TypeFit[];
  /**
   * The statements that remove by hand what a job keeps at its source.
   * @param settings as a data source stores them
   */
  removal(settings: unknown, job: string): string;
}

/** A privilege that a job needs. */
export interface Right {
  /** In a few words. */
  name: string;
  /** When it is needed and for what, one sentence. */
  why: string;
  /** The statement that gives it, with names as examples. */
  example: string;
}

/** Types that are carried in one way. */
export interface TypeFit {
  kind: string;
  /** As the DDL of the system takes them. */
  names: readonly string[];
  fit: 'exact' | 'refused';
  note: string;
}

/** A family with its driver; loaded in child processes alone. */
export interface System {
  card: Card;
  /** Connects, and says version and privileges. */
  test(settings: unknown): Promise<Finding[]>;
  /** Databases of the server, with their schemas. */
  databases(settings: unknown): Promise<{ name: string; schemas: string[] }[]>;
  /** Nothing is connected before the first call. @param signal ends every wait */
  openSource(settings: unknown, signal: AbortSignal): Source;
  openSink(settings: unknown, signal: AbortSignal): Sink;
}
