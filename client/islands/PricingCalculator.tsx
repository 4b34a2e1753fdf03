import { type ReactElement, useId, useState, useSyncExternalStore } from 'react';
import { isRecord } from '../browser/json.ts';
import type { Pricing } from '../contract/pricing.ts';
import '../styles/calculator.css';
import { money } from '../contract/money.ts';
import { cloudPrice, hoursOf, licencePrice, periodName } from '../contract/price-rules.ts';
import { Icon } from '../ui/Icon.tsx';

/** The rules the calculator needs; the page gives it no more of the pricing than these. */
export type CalculatorProps = {
  pricing: Pick<Pricing, 'currency' | 'linkHourCents' | 'newAccountCredits' | 'cloud' | 'ladder' | 'periods'>;
};

const largest = 1_000_000;
const never = () => () => {};
/** Start of today; the server does not know the visitor's day, so its HTML counts a month as 30 days. */
const today = () => new Date().setHours(0, 0, 0, 0);

/** A number field; what is no number counts as 0. */
function NumberField(props: {
  label: string;
  unit: string;
  value: string;
  min?: number;
  onChange: (text: string) => void;
}) {
  const id = useId();
  return (
    <div className="calculator-field">
      <label htmlFor={id}>{props.label}</label>
      <span>
        <input
          className="input"
          id={id}
          type="number"
          inputMode="decimal"
          min={props.min ?? 0}
          max={largest}
          step="any"
          value={props.value}
          aria-describedby={`${id}-unit`}
          onChange={(event) => props.onChange(event.currentTarget.value)}
        />
        <small id={`${id}-unit`}>{props.unit}</small>
      </span>
    </div>
  );
}

const amount = (text: string | undefined) => Math.min(Math.max(Number(text) || 0, 0), largest);

function Cloud({ pricing }: CalculatorProps) {
  const [texts, setTexts] = useState<Record<string, string>>({ full: '100', increment: '30' });
  const amounts = Object.fromEntries(pricing.cloud.map(({ id, unitSize }) => [id, amount(texts[id]) * unitSize]));
  const total = cloudPrice(amounts, pricing);
  const credits = pricing.newAccountCredits * 100;
  return (
    <section className="calculator-part" aria-label="Cloud">
      <h3>Cloud, by rows</h3>
      {pricing.cloud.map(({ id, label, unit }) => (
        <NumberField
          key={id}
          label={label}
          unit={unit}
          value={texts[id] ?? ''}
          onChange={(text) => setTexts((before) => ({ ...before, [id]: text }))}
        />
      ))}
      <p className="calculator-total">
        <output>{money(total, pricing.currency)}</output>
        <small>
          {total <= credits ? 'Covered by' : `${money(total - credits, pricing.currency)} after`} the{' '}
          {pricing.newAccountCredits} credits of a new account
        </small>
      </p>
    </section>
  );
}

function Enterprise({ pricing }: CalculatorProps) {
  const id = useId();
  const [text, setText] = useState('5');
  const [chosen, setChosen] = useState(String(pricing.periods.findIndex(({ unit }) => unit === 'YEAR')));
  const start = useSyncExternalStore(never, today, () => undefined);
  const links = Math.max(Math.floor(amount(text)), 1);
  const period = pricing.periods[Number(chosen)] ?? { num: 1, unit: 'YEAR' };
  const hours = hoursOf(period, start === undefined ? undefined : new Date(start));
  const price = licencePrice(links, hours, pricing);
  return (
    <section className="calculator-part" aria-label="Enterprise">
      <h3>Enterprise, by links</h3>
      <NumberField label="Links" unit="data jobs" min={1} value={text} onChange={setText} />
      <div className="calculator-field">
        <label htmlFor={id}>Period</label>
        <div className="field-select">
          <select className="input" id={id} value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
            {pricing.periods.map((one, at) => (
              <option key={periodName(one)} value={at}>
                {periodName(one)}
              </option>
            ))}
          </select>
          <Icon name="chevron" />
        </div>
      </div>
      <table className="calculator-ladder">
        <caption className="visually-hidden">Discount by links</caption>
        <tbody>
          {pricing.ladder.map(({ minLinks, rate }, at) => (
            <tr key={minLinks} data-current={rate === price.rate ? '' : undefined}>
              <th scope="row">
                {minLinks}
                {pricing.ladder[at + 1] ? `–${(pricing.ladder[at + 1]?.minLinks ?? 0) - 1}` : '+'} links
              </th>
              <td>{Math.round(rate * 1000) / 10} %</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="calculator-total">
        <output>{money(price.total, pricing.currency)}</output>
        <small>
          {hours.toLocaleString('en-US')} hours
          {price.discount > 0 && `, ${money(price.discount, pricing.currency)} off`}
        </small>
      </p>
    </section>
  );
}

/** What cloud work and an enterprise licence cost; the amounts charged are computed by the server alone. */
export default function PricingCalculator({ pricing }: CalculatorProps) {
  return (
    <div className="calculator">
      <Cloud pricing={pricing} />
      <Enterprise pricing={pricing} />
    </div>
  );
}

function isPricing(value: unknown): value is CalculatorProps['pricing'] {
  return (
    isRecord(value) &&
    typeof value.currency === 'string' &&
    typeof value.linkHourCents === 'number' &&
    typeof value.newAccountCredits === 'number' &&
    [value.cloud, value.ladder, value.periods].every(Array.isArray)
  );
}

/** The calculator for the props in the page. */
export function render(props: unknown): ReactElement {
  if (!isRecord(props) || !isPricing(props.pricing)) throw new TypeError('The calculator was not given the pricing.');
  return <PricingCalculator pricing={props.pricing} />;
}
