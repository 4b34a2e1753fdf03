import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Edition } from '../../../client/contract/console/orders.ts';
import { ladderRate, licencePrice, type Period, periodEnd } from '../../../client/contract/price-rules.ts';
import type { Queries } from '../../storage/database.ts';
import { takeOwnTurn } from '../account/take-turn.ts';
import { ConsoleError } from '../errors.ts';
import type { ConsoleServices } from '../services.ts';
import { readApplyCode } from './apply-code.ts';
import { buyTimeStandard, rank } from './editions.ts';
import { findOldLicence } from './old-resource.ts';

const quoteMs = 30 * 60_000;
const hourMs = 3_600_000;
const trialRow = z.object({ installation: z.string() });
const creditsRow = z.object({ credits: z.number() });

export interface Wanted {
  applyCode: string;
  edition: Edition;
  links: number;
  period: Period;
}

/** Computed only on the server, in whole cents; a price from a client is never accepted. */
export interface Quote {
  id: string;
  installation: string;
  edition: Edition;
  links: number;
  from: number;
  to: number;
  subtotal: number;
  ladderRate: number;
  discount: number;
  oldValue: number;
  /** The old licence's remaining value beyond this price: it is lost when that licence ends. */
  lostValue: number;
  oldLicence: string | undefined;
  credits: number;
  total: number;
  expiresAt: number;
}

/**
 * Prices a licence for an installation and keeps the price for half an hour.
 * @throws ConsoleError when the edition, links or period is not sold to this installation
 */
export async function quoteLicence(services: ConsoleServices, uid: string, wanted: Wanted): Promise<Quote> {
  const { database, pricing, now } = services;
  const { installation, used } = readApplyCode(wanted.applyCode);
  const { edition, links, period } = wanted;
  checkSold(services, wanted, used);
  return database.transaction(async (queries) => {
    // Before reading: a refund that is recorded meanwhile sees the price and removes it, or is seen.
    await takeOwnTurn(queries, uid);
    const from = now();
    const old = await findOldLicence(queries, uid, installation, from);
    if (old && rank[edition] < rank[old.edition]) throw new ConsoleError('EDITION_GOES_DOWN');
    if (edition === 'TRIAL') await checkTrial(queries, installation);
    const to = periodEnd(from, period);
    const paid = edition === 'ENTERPRISE';
    const price = paid
      ? licencePrice(links, (to - from) / hourMs, pricing)
      : { subtotal: 0, rate: ladderRate(links, pricing.ladder) * 0, discount: 0, total: 0 };
    const oldValue = Math.min(old?.value ?? 0, price.total);
    const held = await queries.one(creditsRow, 'SELECT credits FROM account WHERE uid = $1', [uid]);
    const credits = Math.min(held?.credits ?? 0, price.total - oldValue);
    const quote: Quote = {
      id: randomUUID(),
      installation,
      edition,
      links,
      from,
      to,
      subtotal: price.subtotal,
      ladderRate: price.rate,
      discount: price.discount,
      oldValue,
      lostValue: (old?.value ?? 0) - oldValue,
      oldLicence: old?.id,
      credits,
      total: price.total - oldValue - credits,
      expiresAt: from + quoteMs,
    };
    await store(queries, uid, quote, now());
    return quote;
  });
}

function checkSold({ pricing }: ConsoleServices, { edition, links, period }: Wanted, used: number): void {
  const { minLinks, maxLinks, periods } = buyTimeStandard(edition, pricing);
  if (links < minLinks || links > maxLinks) throw new ConsoleError('LINKS_OUT_OF_RANGE');
  if (links < used) throw new ConsoleError('FEWER_THAN_USED');
  if (!periods.some(({ num, unit }) => num === period.num && unit === period.unit)) {
    throw new ConsoleError('PERIOD_NOT_SOLD');
  }
}

/** One trial per installation, whichever account asks for it. */
async function checkTrial(queries: Queries, installation: string): Promise<void> {
  const had = await queries.one(trialRow, 'SELECT installation FROM trial WHERE installation = $1', [installation]);
  if (had) throw new ConsoleError('TRIAL_USED');
}

async function store(queries: Queries, uid: string, quote: Quote, now: number): Promise<void> {
  await queries.run(
    `INSERT INTO quote (id, uid, installation, edition, links, from_at, to_at, subtotal, ladder_rate, discount, old_value,
       old_licence, credits, total, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      quote.id,
      uid,
      quote.installation,
      quote.edition,
      quote.links,
      quote.from,
      quote.to,
      quote.subtotal,
      quote.ladderRate,
      quote.discount,
      quote.oldValue,
      quote.oldLicence ?? null,
      quote.credits,
      quote.total,
      now,
      quote.expiresAt,
    ],
  );
}
