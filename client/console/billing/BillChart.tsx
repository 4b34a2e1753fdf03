import { useEffect, useRef } from 'react';
import Plot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Bill } from '../../contract/console/billing.ts';
import { tokenColour } from '../parts/token-colour.ts';

const height = 200;
/** In seconds, the chart's unit. */
const day = 86_400;
const halfDay = day / 2;
const fortnight = 13 * day;

function dayLabel(at: number): string {
  const moment = new Date(at * 1000);
  return `${moment.getUTCMonth() + 1}/${moment.getUTCDate()}`;
}

/** Amounts by day as bars; the list below has the same figures for screen readers. */
export default function BillChart({ bills, theme }: { bills: Bill[]; theme: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const days = bills.toReversed();
    const times = days.map((bill) => Date.parse(bill.day) / 1000);
    const [first = 0, last = first] = [times.at(0), times.at(-1)];
    const axis = { stroke: tokenColour('--muted'), grid: { stroke: tokenColour('--hairline'), width: 1 } };
    const bars = Plot.paths.bars?.({ size: [0.6, 24] });
    const plot = new Plot(
      {
        width: current.clientWidth,
        height,
        cursor: { show: false },
        legend: { show: false },
        scales: {
          x: { range: [Math.min(first, last - fortnight) - halfDay, last + halfDay] },
          y: { range: (_plot, _least, most) => [0, Math.max(1, most)] },
        },
        // Bills are for days in UTC.
        tzDate: (at) => Plot.tzDate(new Date(at * 1000), 'Etc/UTC'),
        axes: [
          { ...axis, incrs: [day, 2 * day, 7 * day], values: (_plot, ticks) => ticks.map(dayLabel) },
          { ...axis, size: 64 },
        ],
        series: [
          {},
          {
            label: 'USD',
            stroke: tokenColour('--accent'),
            fill: tokenColour('--accent'),
            points: { show: false },
            ...(bars && { paths: bars }),
          },
        ],
      },
      [times, days.map(({ amount }) => amount.amount / 100)],
      current,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height }));
    observer.observe(current);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [bills]);
  return (
    <figure className="console-chart" data-drawn={theme}>
      <figcaption>USD by day (UTC)</figcaption>
      <div ref={place} aria-hidden="true" />
    </figure>
  );
}
