import { money } from '../../client/contract/money.ts';
import type { Pricing } from '../../client/contract/pricing.ts';
import { Drawing } from '../parts/drawings/Drawing.tsx';

const left = 132;
const right = 478;

/** Prices of a million rows on a scale where each mark is ten times the previous one, drawn from the rules. */
export function PriceScale({ cloud, currency }: Pick<Pricing, 'cloud' | 'currency'>) {
  const unit = cloud[0]?.unit;
  const rows = cloud.filter((item) => item.unit === unit && item.cents > 0);
  const powers = rows.map(({ cents }) => Math.log10(cents));
  const top = Math.max(1, Math.ceil(Math.max(...powers)));
  const marks = Array.from({ length: top + 1 }, (_, power) => ({
    power,
    x: left + 12 + (power / top) * (right - left - 12),
  }));
  return (
    <Drawing
      box={[0, 0, 480, 184]}
      label={`Prices of one ${unit} on a logarithmic scale: ${rows.map(({ label, cents }) => `${label} ${money(cents, currency, true)}`).join(', ')}.`}
    >
      <path className="thin" d={marks.map(({ x }) => `M${x} 1V150`).join('')} />
      {rows.map(({ id, label, cents }, at) => {
        const y = 20 + at * 37;
        const end = left + 12 + (Math.log10(cents) / top) * (right - left - 12);
        return (
          <g key={id}>
            <text x={0} y={y + 5}>
              {label}
            </text>
            <path className="wash run" d={`M${left} ${y - 8}H${end}V${y + 8}H${left}z`} />
          </g>
        );
      })}
      <path d={`M${left} 1V150H${right}`} />
      {marks.map(({ power, x }) => (
        <text
          key={power}
          className={power === top ? 'mono muted end' : 'mono muted mid'}
          x={power === top ? right + 1 : x}
          y={172}
        >
          {money(10 ** power, currency, true).replace(` ${currency}`, '')}
        </text>
      ))}
    </Drawing>
  );
}
