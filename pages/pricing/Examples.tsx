import { figure, money, percent } from '../../client/contract/money.ts';
import {
  cheaperStep,
  cloudPrice,
  hoursOf30Days,
  hoursOf365Days,
  ladderRate,
  licencePrice,
} from '../../client/contract/price-rules.ts';
import type { Pricing } from '../../client/contract/pricing.ts';
import PricingCalculator from '../../client/islands/PricingCalculator.tsx';
import { Island } from '../parts/Island.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';

/** A shop's database in its first month in the cloud: counts by the price list's ids. */
const shop: Record<string, number> = {
  schema: 200,
  full: 500_000_000,
  increment: 3_000_000,
  verification: 500_000_000,
  correction: 200_000,
};

const orders = [
  { links: 1, days: 30, hours: hoursOf30Days },
  { links: 1, days: 365, hours: hoursOf365Days },
  { links: 5, days: 30, hours: hoursOf30Days },
  { links: 12, days: 365, hours: hoursOf365Days },
  { links: 50, days: 30, hours: hoursOf30Days },
];

function CloudExample({ pricing }: { pricing: Pricing }) {
  const { cloud, currency, newAccountCredits } = pricing;
  const lines = cloud.map((item) => ({
    ...item,
    count: shop[item.id] ?? 0,
    sum: cloudPrice({ [item.id]: shop[item.id] ?? 0 }, pricing),
  }));
  const total = lines.reduce((sum, line) => sum + line.sum, 0);
  const left = newAccountCredits * 100 - total;
  return (
    <div>
      <h3>A shop’s database, first month in the cloud</h3>
      <table className="price-table">
        <thead>
          <tr>
            <th scope="col">Work</th>
            <th scope="col" className="figure">
              Rows or tables
            </th>
            <th scope="col" className="figure">
              Sum
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ id, label, count, sum }) => (
            <tr key={id}>
              <th scope="row">{label}</th>
              <td className="figure">{figure(count)}</td>
              <td className="figure">{money(sum, currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Together
            </th>
            <td className="figure">{money(total, currency)}</td>
          </tr>
        </tfoot>
      </table>
      {left > 0 && (
        <p className="price-note">
          The credits of a new account cover it, and {money(left, currency, true)} of them are left.
        </p>
      )}
    </div>
  );
}

function LicenceExample({ pricing }: { pricing: Pricing }) {
  const { currency } = pricing;
  const step = cheaperStep(pricing);
  return (
    <div>
      <h3>Enterprise licences</h3>
      <table className="price-table">
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col" className="figure">
              Discount
            </th>
            <th scope="col" className="figure">
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          {orders.map(({ links, days, hours }) => (
            <tr key={`${links}-${days}`}>
              <th scope="row">
                {links} {links === 1 ? 'link' : 'links'}, {days} days
              </th>
              <td className="figure">{percent(ladderRate(links, pricing.ladder))}</td>
              <td className="figure">{money(licencePrice(links, hours, pricing).total, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {step && (
        <p className="price-note">
          Near a step, compare: {step} links for 30 days cost{' '}
          {money(licencePrice(step, hoursOf30Days, pricing).total, currency, true)}, {step - 1} cost{' '}
          {money(licencePrice(step - 1, hoursOf30Days, pricing).total, currency, true)}.
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

/** Worked examples, computed from the rules, and the calculator where scripts run. */
export function Examples({ pricing }: { pricing: Pricing }) {
  const { currency, linkHourCents, newAccountCredits, cloud, ladder, periods } = pricing;
  const rules = { currency, linkHourCents, newAccountCredits, cloud, ladder, periods };
  const even = evenMillions(pricing);
  return (
    <section className="section wrap" aria-labelledby="examples">
      <SectionHead
        id="examples"
        title="What it comes to"
        lede={
          even
            ? `Change sync is the largest part of a cloud bill. One link for 30 days costs as much as ${even} million changed rows.`
            : 'Two examples, computed from the price list.'
        }
      />
      <div className="price-columns">
        <CloudExample pricing={pricing} />
        <LicenceExample pricing={pricing} />
      </div>
      <div className="price-calculator" data-needs-js="">
        <h3>With your own figures</h3>
        <Island name="PricingCalculator" of={PricingCalculator} props={{ pricing: rules }} when="interaction" />
      </div>
    </section>
  );
}
