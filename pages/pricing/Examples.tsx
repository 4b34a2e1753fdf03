import { counted } from '../../client/contract/counted.ts';
import { fill } from '../../client/contract/fill.ts';
import { figure, money, percent } from '../../client/contract/money.ts';
import type { PricingText } from '../../client/contract/page-texts.ts';
import {
  cheaperStep,
  cloudPrice,
  hoursOf30Days,
  hoursOf365Days,
  ladderRate,
  licencePrice,
  workName,
} from '../../client/contract/price-rules.ts';
import type { Pricing } from '../../client/contract/pricing.ts';
import PricingCalculator from '../../client/islands/PricingCalculator.tsx';
import { Island } from '../parts/Island.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';
import { PriceTable } from './PriceTable.tsx';

const orders = [
  { links: 1, days: 30, hours: hoursOf30Days },
  { links: 1, days: 365, hours: hoursOf365Days },
  { links: 5, days: 30, hours: hoursOf30Days },
  { links: 12, days: 365, hours: hoursOf365Days },
  { links: 50, days: 30, hours: hoursOf30Days },
];

function CloudExample({ text, pricing }: { text: PricingText['examples']['cloud']; pricing: Pricing }) {
  const { amounts } = text;
  const { cloud, currency, newAccountCredits } = pricing;
  const lines = cloud.map((item) => ({
    ...item,
    count: amounts[item.id] ?? 0,
    sum: cloudPrice({ [item.id]: amounts[item.id] ?? 0 }, pricing),
  }));
  const total = lines.reduce((sum, line) => sum + line.sum, 0);
  const left = newAccountCredits * 100 - total;
  return (
    <div>
      <h3>{text.title}</h3>
      <PriceTable
        columns={[{ label: 'Work' }, { label: 'Rows or tables', figure: true }, { label: 'Amount', figure: true }]}
        rows={lines.map(({ count, sum, ...work }) => ({
          id: work.id,
          cells: [workName(work), figure(count), money(sum, currency)],
        }))}
        sum={{ label: 'Total', figure: money(total, currency) }}
      />
      {left > 0 && <p className="price-note">{fill(text.note, { left: money(left, currency, true) })}</p>}
    </div>
  );
}

function LicenceExample({ text, pricing }: { text: PricingText['examples']['licence']; pricing: Pricing }) {
  const { currency } = pricing;
  const step = cheaperStep(pricing);
  const monthOf = (links: number) => money(licencePrice(links, hoursOf30Days, pricing).total, currency, true);
  return (
    <div>
      <h3>{text.title}</h3>
      <PriceTable
        columns={[{ label: 'Order' }, { label: 'Discount', figure: true }, { label: 'Price', figure: true }]}
        rows={orders.map(({ links, days, hours }) => ({
          id: `${links}-${days}`,
          cells: [
            `${counted(links, 'link')}, ${days} days`,
            percent(ladderRate(links, pricing.ladder)),
            money(licencePrice(links, hours, pricing).total, currency),
          ],
        }))}
      />
      {step && (
        <p className="price-note">
          {fill(text.note, { links: step, price: monthOf(step), fewer: step - 1, fewerPrice: monthOf(step - 1) })}
        </p>
      )}
    </div>
  );
}

/** Changed rows, in millions, that cost as much in the cloud as one link for 30 days. */
function evenMillions(pricing: Pricing): string | undefined {
  const change = pricing.cloud.find(({ id }) => id === 'increment');
  if (!change?.cents) return undefined;
  const rows = (licencePrice(1, hoursOf30Days, pricing).total / change.cents) * change.unitSize;
  return figure(Math.round(rows / 100_000) / 10);
}

/** Worked examples, computed from the rules, and the calculator if scripts run. */
export function Examples({ text, pricing }: { text: PricingText['examples']; pricing: Pricing }) {
  const { currency, linkHourCents, newAccountCredits, cloud, ladder, periods } = pricing;
  const rules = { currency, linkHourCents, newAccountCredits, cloud, ladder, periods };
  const millions = evenMillions(pricing);
  const head = { ...text, ...(millions && { lede: fill(text.comparison, { millions }) }) };
  return (
    <section className="section wrap" aria-labelledby="examples">
      <SectionHead id="examples" text={head} />
      <div className="price-columns">
        <CloudExample text={text.cloud} pricing={pricing} />
        <LicenceExample text={text.licence} pricing={pricing} />
      </div>
      <div className="price-calculator" data-needs-js="">
        <h3>{text.calculator}</h3>
        <Island name="PricingCalculator" of={PricingCalculator} props={{ pricing: rules }} when="interaction" />
      </div>
    </section>
  );
}
