import { productionSbom } from './supply/sbom.ts';

// `npm run --silent sbom > sbom.json`: what runs in production, in CycloneDX.
process.stdout.write(`${JSON.stringify(productionSbom(), null, 2)}\n`);
