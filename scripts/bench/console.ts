import { openScene } from '../../server/testing/kills/scene.ts';
import { measureEnumeration } from './console/enumeration.ts';
import { measureOrders } from './console/orders.ts';
import { measurePageViews } from './console/page-views.ts';
import { measureSignIns } from './console/sign-ins.ts';
import { record } from './record.ts';

// `npm run bench -- console`: the console backend's throughput per second, compared with the machine's limit in the
// same run, and whether its responses reveal who has an account.
const scene = await openScene('sqlite');
const speed = [];
let enumeration = [];
try {
  console.log('› sign-ins, page views, enumeration …');
  speed.push(await measureSignIns(scene), await measurePageViews(scene));
  enumeration = await measureEnumeration(scene);
} finally {
  await scene.close();
}
for (const kind of ['sqlite', 'postgres'] as const) {
  console.log(`› orders, ${kind} …`);
  speed.push(await measureOrders(kind));
}
await record('console', speed);
await record('console-enumeration', enumeration);
const told = enumeration.some((row) => row['different answers'] !== 0 || row['within 2 ms'] === 'no');
const unsynced = speed.some((row) => String(row['syncs ≥ commits']).endsWith('no'));
if (told || unsynced) process.exitCode = 1;
