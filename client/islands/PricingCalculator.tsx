import { type ReactElement, useId, useState, useSyncExternalStore } from 'react';
import { isRecord } from '../browser/json.ts';
import type { Pricing } from '../contract/pricing.ts';
import '../styles/fields.css';
import '../styles/calculator.css';
import { figure, money } from '../contract/money.ts';
import { cloudPrice, hoursOf, licencePrice, periodName, workName } from '../contract/price-rules.ts';
import { FieldFrame } from '../ui/FieldFrame.tsx';
import { Icon } from '../ui/Icon.tsx';
import { type Bounds, type Entry, NumberField, numberOf } from './NumberField.tsx';

/** The rules that the calculator needs; the page passes it nothing else of the pricing. */
export type CalculatorProps = {
  pricing: Pick<Pricing, 'currency' | 'linkHourCents' | 'newAccountCredits' | 'cloud' | 'ladder' | 'periods'>;
};

const amountBounds: Bounds = { min: 0, max: 1_000_000 };
const linkBounds: Bounds = { min: 1, max: 1_000_000, whole: true };
const never = () => () => {};
/** Start of today; the server does not know the visitor's day, so its HTML counts a month as 30 days. */
const today = () => new Date().setHours(0, 0, 0, 0);

/** The sum below the fields; none while one of them is invalid. */
function Total({ sum, note }: { sum: string | undefined; note: string }) {
  return (
    <p className="calculator-total">
      <output suppressHydrationWarning>{sum ?? '–'}</output>
      <small suppressHydrationWarning>{sum === undefined ? 'Correct the marked fields to see the sum' : note}</small>
    </p>
  );
}

function Cloud({ pricing }: CalculatorProps) {
  const [entries, setEntries] = useState<Record<string, Entry>>({ full: { text: '100' }, increment: { text: '30' } });
  const entryOf = (id: string) => entries[id] ?? { text: '' };
  const amounts = pricing.cloud.map(({ id }) => numberOf(entryOf(id), amountBounds));
  const units = Object.fromEntries(pricing.cloud.map(({ id, unitSize }, at) => [id, (amounts[at] ?? 0) * unitSize]));
  const total = cloudPrice(units, pricing);
  const credits = pricing.newAccountCredits * 100;
  const left = total <= credits ? 'Covered by' : `${money(total - credits, pricing.currency)} after`;
  return (
    <section className="calculator-part" aria-label="Cloud">
      <h3 suppressHydrationWarning>Cloud, by rows</h3>
      {pricing.cloud.map((work) => (
        <NumberField
          key={work.id}
          label={workName(work)}
          unit={work.unit}
          bounds={amountBounds}
          entry={entryOf(work.id)}
          onEntry={(entry) => setEntries((before) => ({ ...before, [work.id]: entry }))}
        />
      ))}
      <Total
        sum={amounts.includes(undefined) ? undefined : money(total, pricing.currency)}
        note={`${left} the ${pricing.newAccountCredits} credits of a new account`}
      />
    </section>
  );
}

/** The links that a step of the discount covers. @param next where the next step begins */
function linksOfStep(from: number, next: number | undefined): string {
  return next === undefined ? `${from}+ links` : `${from}–${next - 1} links`;
}

function Enterprise({ pricing }: CalculatorProps) {
  const id = useId();
  const [entry, setEntry] = useState<Entry>({ text: '5' });
  const [chosen, setChosen] = useState(String(pricing.periods.findIndex(({ unit }) => unit === 'YEAR')));
  const start = useSyncExternalStore(never, today, () => undefined);
  const links = numberOf(entry, linkBounds);
  const period = pricing.periods[Number(chosen)] ?? { num: 1, unit: 'YEAR' };
  const hours = hoursOf(period, start === undefined ? undefined : new Date(start));
  const price = links === undefined ? undefined : licencePrice(links, hours, pricing);
  const off = price?.discount ? `, ${money(price.discount, pricing.currency)} off` : '';
  return (
    <section className="calculator-part" aria-label="Enterprise">
      <h3 suppressHydrationWarning>Enterprise, by links</h3>
      <NumberField label="Links" unit="data jobs" bounds={linkBounds} entry={entry} onEntry={setEntry} />
      <FieldFrame id={id} label="Period">
        <div className="field-select">
          <select className="input" id={id} value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
            {pricing.periods.map((one, at) => (
              <option key={periodName(one)} value={at} suppressHydrationWarning>
                {periodName(one)}
              </option>
            ))}
          </select>
          <Icon name="chevron" />
        </div>
      </FieldFrame>
      <table className="calculator-ladder">
        <caption className="visually-hidden" suppressHydrationWarning>
          Discount by links
        </caption>
        <tbody>
          {pricing.ladder.map(({ minLinks, rate }, at) => (
            <tr key={minLinks} data-current={rate === price?.rate ? '' : undefined}>
              <th scope="row" suppressHydrationWarning>
                {linksOfStep(minLinks, pricing.ladder[at + 1]?.minLinks)}
              </th>
              <td suppressHydrationWarning>{`${Math.round(rate * 1000) / 10} %`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Total sum={price && money(price.total, pricing.currency)} note={`${figure(hours)} hours${off}`} />
    </section>
  );
}

/**
 * The cost of cloud work and an enterprise licence; only the server computes the amounts charged. The browser may have
 * translated the page before React takes over, and each text is then inside elements of the translation. So each is the
 * only child of its element, which React neither compares nor looks into.
 */
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
  if (!isRecord(props) || !isPricing(props.pricing)) throw new TypeError('The calculator did not receive the pricing.');
  return <PricingCalculator pricing={props.pricing} />;
}
