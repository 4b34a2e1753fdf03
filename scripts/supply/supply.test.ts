import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { licencesOf } from './licences.ts';
import { productionSbom } from './sbom.ts';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
    }),
  ),
});

const { packages } = lockFile.parse(
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package-lock.json'), 'utf8')),
);
const locked = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, { name, version, dev = false, integrity }]) => ({
    ref: `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`,
    dev,
    integrity,
  }));

test('the bill of materials is CycloneDX and holds exactly the packages of production, with their hashes', () => {
  const sbom = productionSbom();
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'millrace', type: 'application', version: packages['']?.version } },
  });
  const wanted = new Set(locked.filter(({ dev }) => !dev).map(({ ref }) => ref));
  expect(wanted.size).toBeGreaterThan(100);
  expect(sbom.components.map((one) => one['bom-ref']).sort()).toEqual([...wanted].sort());
  for (const { 'bom-ref': ref, hashes } of sbom.components) {
    const { integrity = '' } = locked.find((one) => one.ref === ref) ?? {};
    const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
    expect([ref, hashes]).toEqual([ref, [{ alg: 'SHA-512', content }]]);
  }
  const refs = new Set([...wanted, `millrace@${packages['']?.version}`]);
  const named = sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(named.filter((ref) => !refs.has(ref))).toEqual([]);
  expect(new Set(named)).toEqual(refs);
});

const component = (name: string, licenses?: Parameters<typeof licencesOf>[0][number]['licenses']) => ({
  'bom-ref': `${name}@1.0.0`,
  name,
  version: '1.0.0',
  properties: [],
  ...(licenses && { licenses }),
});

test('a licence that is not on the list is refused, and so is none', () => {
  const licences = licencesOf([
    component('strict', [{ license: { id: 'AGPL-3.0-only' } }]),
    component('either', [{ expression: '(MIT OR GPL-3.0-only)' }]),
    component('both', [{ license: { id: 'MIT' } }, { license: { id: 'GPL-2.0-only' } }]),
    component('free', [{ license: { id: 'MIT' } }]),
    component('silent'),
    { ...component('format'), version: '0.2.2' },
  ]);
  expect(licences.map(({ name, licence, allowed }) => [name, licence, allowed])).toEqual([
    ['both', 'MIT, GPL-2.0-only', false],
    ['either', '(MIT OR GPL-3.0-only)', false],
    ['format', 'MIT', true],
    ['free', 'MIT', true],
    ['silent', 'unknown', false],
    ['strict', 'AGPL-3.0-only', false],
  ]);
});
