import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { z } from 'zod';
import project from '../../package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '../..');
const forDevelopment = 'cdx:npm:package:development';

const component = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })),
  licenses: z
    .array(z.union([z.object({ license: z.object({ id: z.string() }) }), z.object({ expression: z.string() })]))
    .optional(),
});

/** The part of CycloneDX that is used here; the rest is passed on. */
const sbom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string(), version: z.string() }) }),
  components: z.array(component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

export type Sbom = z.infer<typeof sbom>;
export type Component = z.infer<typeof component>;

/**
 * The bill of materials of the production packages, in CycloneDX, from package-lock.json.
 * @throws if npm cannot create it
 */
export function productionSbom(): Sbom {
  const all = sbom.parse(
    JSON.parse(npm('sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only')),
  );
  // `--omit=dev` would also drop our dependencies that development packages share, zod and yaml among them.
  const components = all.components.filter(({ properties }) => properties.every(({ name }) => name !== forDevelopment));
  const refs = new Set([...components.map((one) => one['bom-ref']), `${project.name}@${project.version}`]);
  return {
    ...all,
    // npm puts the folder's name here.
    metadata: { ...all.metadata, component: { ...all.metadata.component, name: project.name } },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) })),
  };
}

function npm(...args: string[]): string {
  const script = process.env.npm_execpath;
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const { status, stdout, stderr, error } = script?.endsWith('.js')
    ? spawnSync(process.execPath, [script, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (error) throw new Error(`npm could not be started (${error.message}): install npm, then run the command again.`);
  if (status !== 0) throw new Error(`npm ${args[0]} failed:\n${stderr}`);
  return stdout;
}
