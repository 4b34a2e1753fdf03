import { EngineError } from '../errors.ts';
import type { JobSpec } from '../job.ts';
import type { Sink } from '../sink.ts';
import type { Source } from '../source.ts';
import type { System } from './system.ts';

/** Families by name; a driver is loaded when it is first used. */
const loaders: Record<string, () => Promise<System>> = {
  postgresql: async () => (await import('./postgresql/system.ts')).postgresSystem,
  sqlite: async () => (await import('./sqlite/system.ts')).sqlite,
};

/** @throws EngineError UNEXPECTED for an unknown family */
export async function loadSystem(family: string): Promise<System> {
  const load = loaders[family];
  if (!load) throw new EngineError('UNEXPECTED', { subject: `no system named ${family}` });
  return await load();
}

/** Both sides of a job. @throws EngineError UNEXPECTED for an unknown family */
export async function openSides(
  { source, target }: Pick<JobSpec, 'source' | 'target'>,
  signal: AbortSignal,
): Promise<{ source: Source; sink: Sink }> {
  return {
    source: (await loadSystem(source.family)).openSource(source.settings, signal),
    sink: (await loadSystem(target.family)).openSink(target.settings, signal),
  };
}
