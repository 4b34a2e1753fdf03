import { fill } from '../../client/contract/fill.ts';
import { figure, money, percent } from '../../client/contract/money.ts';
import type { PricingText } from '../../client/contract/page-texts.ts';
import { hoursOf30Days, hoursOf365Days, licencePrice, workName } from '../../client/contract/price-rules.ts';
import type { Pricing } from '../../client/contract/pricing.ts';
import { SectionHead } from '../parts/SectionHead.tsx';
import { Ladder } from './Ladder.tsx';
import { PriceScale } from './PriceScale.tsx';
import { PriceTable } from './PriceTable.tsx';

function CloudPrices({ text, pricing }: { text: PricingText['prices']['cloud']; pricing: Pricing }) {
  const { cloud, currency, newAccountCredits } = pricing;
  return (
    <div>
      <h3>{text.title}</h3>
      <p>{fill(text.text, { credits: newAccountCredits, worth: money(newAccountCredits * 100, currency, true) })}</p>
      <div className="figure-box">
        <PriceScale cloud={cloud} currency={currency} />
      </div>
      <PriceTable
        columns={[{ label: 'Work' }, { label: 'Unit' }, { label: 'Price', figure: true }]}
        rows={cloud.map((work) => ({ id: work.id, cells: [workName(work), work.unit, money(work.cents, currency)] }))}
      />
    </div>
  );
}

/** `1 to 4`, `50 or more`. */
function stepRange({ ladder }: Pricing, at: number): string {
  const from = ladder[at]?.minLinks ?? 1;
  const next = ladder[at + 1];
  return next ? `${from} to ${next.minLinks - 1}` : `${from} or more`;
}

function LicencePrices({ text, pricing }: { text: PricingText['prices']['licence']; pricing: Pricing }) {
  const { ladder, linkHourCents, currency } = pricing;
  const priceOf = (hours: number) => money(licencePrice(1, hours, pricing).total, currency, true);
  const prices = {
    hour: money(linkHourCents, currency, true),
    hours: figure(hoursOf30Days),
    month: priceOf(hoursOf30Days),
    year: priceOf(hoursOf365Days),
  };
  return (
    <div>
      <h3>{text.title}</h3>
      <p>{fill(text.text, prices)}</p>
      <div className="figure-box">
        <Ladder ladder={ladder} />
      </div>
      <PriceTable
        columns={[
          { label: 'Links' },
          { label: 'Discount', figure: true },
          { label: 'One link, 30 days', figure: true },
        ]}
        rows={ladder.map(({ minLinks, rate }, at) => ({
          id: String(minLinks),
          cells: [
            stepRange(pricing, at),
            percent(rate),
            money(licencePrice(minLinks, hoursOf30Days, pricing).total / minLinks, currency),
          ],
        }))}
      />
    </div>
  );
}

/** All prices: work in the cloud, and the licence with its discount. */
export function PriceList({ text, pricing }: { text: PricingText['prices']; pricing: Pricing }) {
  return (
    <section className="section wrap" aria-labelledby="price-list">
      <SectionHead
        id="price-list"
        text={{ ...text, ...(text.lede && { lede: fill(text.lede, { currency: pricing.currency }) }) }}
      />
      <div className="price-columns">
        <CloudPrices text={text.cloud} pricing={pricing} />
        <LicencePrices text={text.licence} pricing={pricing} />
      </div>
    </section>
  );
}
