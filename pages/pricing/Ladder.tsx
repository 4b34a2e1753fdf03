import { percent } from '../../client/contract/money.ts';
import type { Pricing } from '../../client/contract/pricing.ts';
import { Drawing } from '../parts/drawings/Drawing.tsx';

/** The discount as water flowing down steps, drawn from the rules. */
export function Ladder({ ladder }: Pick<Pricing, 'ladder'>) {
  const width = 478 / ladder.length;
  const most = Math.max(...ladder.map(({ rate }) => rate), 0.01);
  const level = (rate: number) => 40 + (rate / most) * 84;
  const surface = ladder
    .map(
      ({ rate }, at) => `${at === 0 ? 'M' : 'V'}${at === 0 ? `1 ${level(rate)}` : level(rate)}H${1 + width * (at + 1)}`,
    )
    .join('');
  const steps = ladder.map(({ minLinks }) => minLinks).join(', ');
  return (
    <Drawing box={[0, 0, 480, 184]} label={`The price of a link falls in steps, at ${steps} links.`}>
      <path className="wash bare" d={`${surface}V160H1z`} />
      <path className="run" d={surface} />
      <path d="M1 160H479" />
      {ladder.map(({ minLinks, rate }, at) => (
        <g key={minLinks} transform={`translate(${1 + width * at} 0)`}>
          {at > 0 && <path className="faint" d="M0 160v6" />}
          <text className="run" x={8} y={level(rate) - 10}>
            {rate === 0 ? 'full price' : `−${percent(rate)}`}
          </text>
          <text className="mono muted" x={at === 0 ? 0 : -4} y={182}>
            {minLinks}
          </text>
        </g>
      ))}
      <text className="mono muted end" x={479} y={182}>
        links
      </text>
    </Drawing>
  );
}
