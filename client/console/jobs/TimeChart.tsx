import { useEffect, useRef } from 'react';
import Plot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { dateTime } from '../../contract/dates.ts';
import type { JobEvent, JobSample } from '../../contract/jobs/jobs.ts';
import { tickLabel } from '../parts/time-axis.ts';
import { tokenColour } from '../parts/token-colour.ts';

const height = 180;
const colours = ['--accent', '--signal'];
/** Room at the right for half of the last time, which is written in the middle below its tick: 12:30:00. */
const edge = 32;
/** Of the second line: colour alone does not tell them apart. */
const dash = [8, 4];

interface TimeChartProps {
  title: string;
  /** The theme that it is drawn for: paper inverts the dark one. */
  theme: string;
  samples: JobSample[];
  /** Drawn as upright lines. */
  pins: JobEvent[];
  /** A level that should not be exceeded, and what lies beyond it. */
  line?: { at: number; words: string };
  series: { label: string; value: (sample: JobSample) => number | null }[];
  /** A value as the legend shows it. */
  words: (value: number) => string;
}

/** Values over time, redrawn when they change; the page has the same figures as a table for screen readers. */
export function TimeChart({ title, theme, samples, pins, line, series, words }: TimeChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(undefined);
  const shown = useRef({ pins, line, words });
  shown.current = { pins, line, words };
  const data: Plot.AlignedData = [
    samples.map(({ at }) => at / 1_000),
    ...series.map(({ value }) => samples.map((sample) => value(sample) ?? undefined) as (number | undefined)[]),
  ] as Plot.AlignedData;
  const latest = useRef(data);
  latest.current = data;
  const labels = series.map(({ label }) => label).join('\n');

  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const axis = { stroke: tokenColour('--muted'), grid: { stroke: tokenColour('--hairline'), width: 1 } };
    const drawn = new Plot(
      {
        width: current.clientWidth,
        height,
        padding: [null, edge, null, null],
        cursor: { y: false },
        scales: { y: { range: (_plot, _least, most) => [0, Math.max(shown.current.line?.at ?? 1, most) * 1.1] } },
        axes: [
          { ...axis, space: 80, values: (_plot, ticks, _axis, _space, step) => ticks.map((at) => tickLabel(at, step)) },
          { ...axis, size: 56 },
        ],
        series: [
          // Without a pointer, the legend shows the newest values.
          { value: (plot, at) => momentOf(at ?? plot.data[0].at(-1)) },
          ...labels.split('\n').map((label, at) => ({
            label,
            value: (plot: Plot, value: number | null, of: number, index: number | null) => {
              const known = index === null ? plot.data[of]?.at(-1) : value;
              return typeof known === 'number' ? shown.current.words(known) : '–';
            },
            stroke: tokenColour(colours[at] ?? '--accent'),
            width: 1.5,
            points: { show: false },
            spanGaps: false,
            ...(at === 1 && { dash }),
          })),
        ],
        legend: { markers: { dash: (_plot, at) => (at === 2 ? 'dashed' : 'solid') } },
        hooks: { draw: [(chart) => drawMarks(chart, shown.current.pins, shown.current.line?.at)] },
      },
      latest.current,
      current,
    );
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: current.clientWidth, height }));
    observer.observe(current);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [labels]);

  useEffect(() => plot.current?.setData(data), [data]);

  const key = keyOf(pins, line);
  return (
    <figure className="console-chart" data-drawn={theme}>
      <figcaption>{title}</figcaption>
      <div ref={place} aria-hidden="true" />
      {key.length > 0 && (
        <ul className="job-chart-key" aria-hidden="true">
          {key.map(([kind, words]) => (
            <li key={kind} className={`job-chart-${kind}`}>
              {words}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

const momentOf = (seconds: number | undefined) => (seconds === undefined ? '–' : dateTime(new Date(seconds * 1_000)));

/** What the dashed lines mean, for those that are drawn. */
function keyOf(pins: readonly JobEvent[], line: TimeChartProps['line']): [kind: string, words: string][] {
  const key: [string, string][] = [];
  if (line) key.push(['late', line.words]);
  if (pins.some(({ level }) => level !== 'error')) key.push(['event', 'Event']);
  if (pins.some(({ level }) => level === 'error')) key.push(['fault', 'Fault']);
  return key;
}

/** Draws the level that should not be exceeded, and the moments of events. */
function drawMarks(chart: Plot, pins: readonly JobEvent[], line: number | undefined): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4, 4]);
  // Events before the first value are off the axis.
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  if (line !== undefined) {
    ctx.strokeStyle = tokenColour('--signal');
    const y = chart.valToPos(line, 'y', true);
    strokeLine(ctx, bbox.left, y, bbox.left + bbox.width, y);
  }
  for (const { at, level } of pins) {
    ctx.strokeStyle = tokenColour(level === 'error' ? '--danger' : '--edge');
    const x = chart.valToPos(at / 1_000, 'x', true);
    strokeLine(ctx, x, bbox.top, x, bbox.top + bbox.height);
  }
  ctx.restore();
}

function strokeLine(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
