import './staleness.css';

/** The example's figures: made up, and said to be so on the page. */
const rowsPerHour = 12_000;
const usdPerRow = 0.02;
const ways = [
  { name: 'A copy each night', minutes: 720, why: '0 to 24 hours old, 12 on average' },
  { name: 'A copy each hour', minutes: 30, why: '0 to 60 minutes old, 30 on average' },
  { name: 'Change sync', minutes: 0.05, why: '3 seconds' },
];

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const minutesFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Rows that have changed on the source and are not yet on the target. */
export function unseenRows(perHour: number, minutesStale: number): number {
  return (perHour * minutesStale) / 60;
}

/** What a stale copy costs, as a formula and as a worked example. */
export function Staleness() {
  return (
    <div className="staleness">
      <div className="staleness-words">
        <p className="formula">
          <span>rows changed per hour</span> × <span>minutes stale</span> ÷ 60 × <span>value of a row</span>
        </p>
        <p>
          The product is what readers of the copy decide on without seeing it. The value of a row is what one decision
          on an outdated row costs on average: an item sold that is out of stock, a payment let through, a call to the
          wrong customer.
        </p>
        <p>
          The example takes {whole.format(rowsPerHour)} changed rows an hour at {money.format(usdPerRow)}. Both figures
          are made up. Put in your own before you draw a conclusion; for many tables the value is nothing, and a nightly
          copy is right.
        </p>
      </div>
      <table className="staleness-table">
        <caption>
          Example: {whole.format(rowsPerHour)} rows an hour, {money.format(usdPerRow)} a row
        </caption>
        <thead>
          <tr>
            <th scope="col">Way</th>
            <th scope="col">Minutes stale</th>
            <th scope="col">Rows not seen</th>
            <th scope="col">Value</th>
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
