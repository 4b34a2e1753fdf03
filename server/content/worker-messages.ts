import type { Brand } from '../../client/contract/site.ts';
import type { CompileJob } from './compile.ts';
import type { PackedPage } from './packed-page.ts';

export interface WorkerSetup {
  brand: Brand;
}

export interface WorkerTask {
  id: number;
  job: CompileJob;
}

export type WorkerAnswer = { id: number } & CompiledJob;

/** A page, or why the compiler failed: then the page may be sound, and nothing must be stored. */
export type CompiledJob = { page: PackedPage } | { failed: string };
