import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { writeApplyCode } from '../../../server/console/licensing/apply-code.ts';
import type { Database } from '../../../server/storage/database.ts';
import { openSqlite } from '../../../server/storage/sqlite.ts';
import { openScene, type Scene } from '../../../server/testing/kills/scene.ts';
import { type Row, round } from '../record.ts';
import { ask, perSecond } from './clients.ts';
import { syncsDuring } from './syncs.ts';

const ms = 3_000;
const clients = 8;
/** Number of orders whose rate is measured; their prices are calculated beforehand. */
const most = 500;
const counted = 40;
const quoted = z.object({ data: z.object({ quoteId: z.string() }) });

interface Buyer {
  quoteId: string;
  headers: Record<string, string>;
}

/** A customer with a price, ready to order. */
async function buyer(scene: Scene): Promise<Buyer> {
  const { token, uid } = await scene.newcomer(0);
  const headers = { Authorization: `Bearer ${token}` };
  const applyCode = writeApplyCode({ installation: `installation-${uid.slice(0, 30)}`, used: 0 });
  const wanted = { applyCode, productType: 'P', edition: 'ENTERPRISE', links: 1, period: { num: 1, unit: 'DAY' } };
  return {
    quoteId: quoted.parse(JSON.parse(await ask(scene, calls.calculatePrice, wanted, headers))).data.quoteId,
    headers,
  };
}

const order = (scene: Scene, { quoteId, headers }: Buyer) =>
  ask(scene, calls.createOrder, { quoteId, payMethod: 'BANK_TRANSFER' }, headers);

/** One row in one transaction: the minimum cost of an order. */
async function bareTransactions(database: Database): Promise<number> {
  await database.script('CREATE TABLE bare (id TEXT PRIMARY KEY)');
  return perSecond(clients, ms, () =>
    database.transaction((queries) => queries.run('INSERT INTO bare (id) VALUES ($1)', [randomUUID()])),
  );
}

/** Orders per second by eight clients, compared with one-row transactions; and disk waits of forty single orders. */
export async function measureOrders(kind: 'sqlite' | 'postgres'): Promise<Row> {
  const scene = await openScene(kind);
  try {
    const buyers: Buyer[] = [];
    while (buyers.length < most) buyers.push(...(await Promise.all(Array.from({ length: 20 }, () => buyer(scene)))));
    const begun = performance.now();
    const client = async () => {
      for (let next = buyers.pop(); next; next = buyers.pop()) await order(scene, next);
    };
    await Promise.all(Array.from({ length: clients }, client));
    const orders = (most / (performance.now() - begun)) * 1000;
    const one = await Promise.all(Array.from({ length: counted }, () => buyer(scene)));
    const pids = scene.postgres?.processes() ?? [scene.backend.pid];
    const syncs = await syncsDuring(pids, async () => {
      for (const next of one) await order(scene, next);
    });
    const bare = scene.postgres ? scene.database : openSqlite(join(scene.dataDir, 'bare.sqlite'));
    const limit = await bareTransactions(bare);
    if (bare !== scene.database) await bare.close();
    return {
      what: `orders, ${kind}`,
      'a second': round(orders),
      limit: 'bare transaction',
      'limit a second': round(limit),
      ratio: round(orders / limit, 2),
      'syncs ≥ commits':
        syncs === undefined ? 'not counted: no strace' : `${syncs} ≥ ${counted}: ${syncs >= counted ? 'yes' : 'no'}`,
    };
  } finally {
    await scene.close();
  }
}
