import './staleness.css';
import { fill } from '../../client/contract/fill.ts';
import type { WhyText } from '../../client/contract/page-texts.ts';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const minutesFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Rows that have changed on the source but are not yet on the target. */
function unseenRows(perHour: number, minutesStale: number): number {
  return (perHour * minutesStale) / 60;
}

/** What a stale copy costs, as a formula and as a worked example. */
export function Staleness({ text }: { text: WhyText['staleness'] }) {
  const { rowsPerHour, usdPerRow, ways } = text.example;
  const example = { rows: whole.format(rowsPerHour), value: money.format(usdPerRow) };
  return (
    <div className="staleness">
      <div className="staleness-words">
        <p className="formula">
          <span>rows changed per hour</span> × <span>minutes stale</span> ÷ 60 × <span>value of a row</span>
        </p>
        {text.explanation.map((paragraph) => (
          <p key={paragraph}>{fill(paragraph, example)}</p>
        ))}
      </div>
      <table className="staleness-table">
        <caption>
          Example: {example.rows} rows an hour, {example.value} a row
        </caption>
        <thead>
          <tr>
            <th scope="col">Method</th>
            <th scope="col">Minutes stale</th>
            <th scope="col">Rows not yet seen</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {ways.map(({ name, minutes, why }) => {
            const rows = unseenRows(rowsPerHour, minutes);
            return (
              <tr key={name}>
                <th scope="row">
                  {name}
                  <small>{why}</small>
                </th>
                <td>{minutesFormat.format(minutes)}</td>
                <td>{whole.format(rows)}</td>
                <td>{money.format(rows * usdPerRow)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
