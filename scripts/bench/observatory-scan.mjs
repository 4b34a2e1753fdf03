import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Scores one address with the HTTP Observatory's own tests. Run by observatory.ts, since Node.js reads
// NODE_EXTRA_CA_CERTS only at its start. The package's scan() takes neither a port nor a path, hence these inner modules.
const inside = join(import.meta.dirname, 'tools/node_modules/@mdn/mdn-http-observatory');
// Its postinstall step downloads the browsers' HSTS preload list; a site on localhost is never on it.
const preload = join(inside, 'conf/hsts-preload.json');
if (!existsSync(preload)) writeFileSync(preload, '{}');

const { retrieve } = await import(join(inside, 'src/retriever/retriever.js'));
const { ALL_TESTS } = await import(join(inside, 'src/constants.js'));
const { getGradeForScore, getScoreModifier } = await import(join(inside, 'src/grader/grader.js'));
const { MINIMUM_SCORE_FOR_EXTRA_CREDIT } = await import(join(inside, 'src/grader/charts.js'));

const [httpPort, httpsPort, path] = process.argv.slice(2);
const site = await retrieve('localhost', { httpPort: Number(httpPort), httpsPort: Number(httpsPort), path });
const results = ALL_TESTS.map((test) => test(site));
const modifiers = results.map(({ result }) => (result ? getScoreModifier(result) : 0));
const withoutCredit = 100 + modifiers.filter((modifier) => modifier < 0).reduce((sum, modifier) => sum + modifier, 0);
const withCredit = 100 + modifiers.reduce((sum, modifier) => sum + modifier, 0);
const { score, grade } = getGradeForScore(withoutCredit >= MINIMUM_SCORE_FOR_EXTRA_CREDIT ? withCredit : withoutCredit);
const lost = results.filter((_, at) => modifiers[at] < 0).map(({ result }) => result);
console.log(JSON.stringify({ status: site.responses.auto?.status ?? 0, score, grade, lost }));
