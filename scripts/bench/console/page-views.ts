import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { openSqlite } from '../../../server/storage/sqlite.ts';
import type { Scene } from '../../../server/testing/kills/scene.ts';
import { type Row, round } from '../record.ts';
import { ask, perSecond } from './clients.ts';

const ms = 3_000;
const clients = 16;
const batch = 200;
const count = z.object({ n: z.number() });

/** Page views per second that are answered and kept, compared with rows written in batches of the same size. */
export async function measurePageViews(scene: Scene): Promise<Row> {
  let answered = 0;
  const view = { src: 'https://search.example/', kw: 'cdc', clientId: 'ab', uri: '/why' };
  const rate = await perSecond(clients, ms, async () => {
    await ask(scene, calls.addViewLog, view);
    answered += 1;
  });
  const stored = async () => (await scene.database.one(count, 'SELECT count(*) AS n FROM page_view'))?.n ?? 0;
  // Batches are written every second; dropped views never arrive.
  let last = -1;
  for (let kept = await stored(); kept !== last; kept = await stored()) {
    last = kept;
    await delay(1500);
  }
  const bare = openSqlite(join(scene.dataDir, 'views.sqlite'));
  await bare.script('CREATE TABLE view (id TEXT PRIMARY KEY, uri TEXT NOT NULL)');
  const batches = await perSecond(1, ms, () =>
    bare.transaction(async (queries) => {
      for (let row = 0; row < batch; row += 1)
        await queries.run('INSERT INTO view (id, uri) VALUES ($1, $2)', [randomUUID(), '/why']);
    }),
  );
  await bare.close();
  return {
    what: `page views, ${round((last / answered) * 100, 1)} % kept`,
    'a second': round(rate),
    limit: `bare transaction of ${batch}`,
    'limit a second': round(batches * batch),
    ratio: round(rate / (batches * batch), 2),
    'syncs ≥ commits': '',
  };
}
