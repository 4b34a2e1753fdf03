import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiText } from '../server/jobs/api/openapi-document.ts';

// `npm run openapi`: writes content/openapi.yaml from the table of calls.
const file = join(import.meta.dirname, '../content/openapi.yaml');
writeFileSync(file, openApiText());
console.log(`Written: ${file}`);
