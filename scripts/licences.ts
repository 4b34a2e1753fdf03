import { licencesOf } from './supply/licences.ts';
import { productionSbom } from './supply/sbom.ts';

// `npm run licences`: lists every production package with its licence; fails if one is not allowed.
const licences = licencesOf(productionSbom().components);
for (const { name, version, licence } of licences) console.log(`${`${name}@${version}`.padEnd(48)} ${licence}`);

const refused = licences.filter((one) => !one.allowed);
for (const { name, version, licence } of refused) {
  console.error(
    `${name}@${version} is under '${licence}', which is not on the list in scripts/supply/licences.ts: remove the package, or read its licence and add it there.`,
  );
}
console.log(`${licences.length} packages, ${refused.length} not allowed`);
if (refused.length > 0) process.exitCode = 1;
