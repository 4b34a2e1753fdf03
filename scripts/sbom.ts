import { productionSbom } from './supply/sbom.ts';

// `npm run --silent sbom > sbom.json`: the production packages, in CycloneDX.
process.stdout.write(`${JSON.stringify(productionSbom(), null, 2)}\n`);
