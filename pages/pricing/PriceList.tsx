import { figure, money, percent } from '../../client/contract/money.ts';
import { hoursOf30Days, hoursOf365Days, licencePrice } from '../../client/contract/price-rules.ts';
import type { Pricing } from '../../client/contract/pricing.ts';
import { SectionHead } from '../parts/SectionHead.tsx';
import { Ladder } from './Ladder.tsx';
import { PriceScale } from './PriceScale.tsx';

function CloudPrices({ pricing }: { pricing: Pricing }) {
  const { cloud, currency, newAccountCredits } = pricing;
  return (
    <div>
      <h3>Cloud, by what is moved</h3>
      <p>
        Counted for each job and billed once a day. A new account starts with {newAccountCredits} credits, worth{' '}
        {money(newAccountCredits * 100, currency, true)}. Below, each mark is ten times the one before.
      </p>
      <div className="figure-box">
        <PriceScale cloud={cloud} currency={currency} />
      </div>
      <table className="price-table">
        <thead>
          <tr>
            <th scope="col">Work</th>
            <th scope="col">For each</th>
            <th scope="col" className="figure">
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          {cloud.map(({ id, label, unit, cents }) => (
            <tr key={id}>
              <th scope="row">{label}</th>
              <td>{unit}</td>
              <td className="figure">{money(cents, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `1 to 4`, `50 and more`. */
function stepRange({ ladder }: Pricing, at: number): string {
  const from = ladder[at]?.minLinks ?? 1;
  const next = ladder[at + 1];
  return next ? `${from} to ${next.minLinks - 1}` : `${from} and more`;
}

function LicencePrices({ pricing }: { pricing: Pricing }) {
  const { ladder, linkHourCents, currency } = pricing;
  return (
    <div>
      <h3>Enterprise, by link and hour</h3>
      <p>
        {money(linkHourCents, currency, true)} for one link and one hour. One link for 30 days is{' '}
        {figure(hoursOf30Days)} hours, {money(licencePrice(1, hoursOf30Days, pricing).total, currency, true)}; for 365
        days {money(licencePrice(1, hoursOf365Days, pricing).total, currency, true)}. A calendar month costs its real
        hours.
      </p>
      <div className="figure-box">
        <Ladder ladder={ladder} />
      </div>
      <table className="price-table">
        <thead>
          <tr>
            <th scope="col">Links</th>
            <th scope="col" className="figure">
              Discount
            </th>
            <th scope="col" className="figure">
              One link, 30 days
            </th>
          </tr>
        </thead>
        <tbody>
          {ladder.map(({ minLinks, rate }, at) => (
            <tr key={minLinks}>
              <th scope="row">{stepRange(pricing, at)}</th>
              <td className="figure">{percent(rate)}</td>
              <td className="figure">
                {money(licencePrice(minLinks, hoursOf30Days, pricing).total / minLinks, currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Every price there is: work in the cloud, and the licence with its discount. */
export function PriceList({ pricing }: { pricing: Pricing }) {
  return (
    <section className="section wrap" aria-labelledby="price-list">
      <SectionHead
        id="price-list"
        title="Price list"
        lede={`All prices are in ${pricing.currency}. The discount of a step applies to every link of the order.`}
        link={{ label: 'How prices are counted', href: '/docs/price/product_price' }}
      />
      <div className="price-columns">
        <CloudPrices pricing={pricing} />
        <LicencePrices pricing={pricing} />
      </div>
    </section>
  );
}
