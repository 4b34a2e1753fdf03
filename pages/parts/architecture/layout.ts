import type { Box, Flow, Plan, Stage } from './plan.ts';

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Arrow {
  from: [number, number];
  to: [number, number];
  back: boolean;
  mark: number | undefined;
}

interface PlacedStage {
  label: string;
  labelAt: [number, number];
  frame: Rect | undefined;
  boxes: (Box & Rect)[];
}

/** A plan with every position worked out. */
export interface Layout {
  width: number;
  height: number;
  stages: PlacedStage[];
  arrows: Arrow[];
}

/** Sizes of one orientation. `along` is the direction of the flow, `across` the other one. */
interface Measure {
  wide: boolean;
  across: number;
  gap: number;
  spacing: number;
  inset: number;
  /** Largest size of a box across the flow. */
  boxLimit: number;
  label: number;
}

const wideMeasure: Measure = { wide: true, across: 276, gap: 84, spacing: 16, inset: 14, boxLimit: 80, label: 32 };
const narrowMeasure: Measure = { wide: false, across: 356, gap: 56, spacing: 8, inset: 12, boxLimit: 356, label: 26 };
const wideWidth = 1120;
const narrowBox = 58;

/** Start and size of `count` boxes along a length: each is centred in its share and no larger than the limit. */
function spread(count: number, length: number, spacing: number, limit: number): { at: number; size: number }[] {
  const share = (length + spacing) / count;
  const size = Math.min(limit, share - spacing);
  return Array.from({ length: count }, (_, index) => ({ at: index * share + (share - spacing - size) / 2, size }));
}

function rect(measure: Measure, along: number, across: number, alongSize: number, acrossSize: number): Rect {
  return measure.wide
    ? { x: along, y: across + measure.label, width: alongSize, height: acrossSize }
    : { x: across, y: along, width: acrossSize, height: alongSize };
}

/** A stage's boxes; in the narrow picture the parts of a frame stand in two columns. */
function boxesOf(stage: Stage, along: number, size: number, measure: Measure): (Box & Rect)[] {
  const inset = stage.frame ? measure.inset : 0;
  const rows = !measure.wide && stage.frame ? Math.ceil(stage.boxes.length / 2) : 1;
  const perRow = Math.ceil(stage.boxes.length / rows);
  const limit = stage.frame || stage.boxes.length === 1 ? measure.across : measure.boxLimit;
  const places = spread(perRow, measure.across - 2 * inset, measure.spacing, limit);
  const deep = (size - 2 * inset - (rows - 1) * measure.spacing) / rows;
  return stage.boxes.map((box, index) => {
    const place = places[index % perRow] ?? { at: 0, size: 0 };
    const row = Math.floor(index / perRow);
    const start = along + inset + row * (deep + measure.spacing);
    return { ...box, ...rect(measure, start, inset + place.at, deep, place.size) };
  });
}

function middle(box: Rect, measure: Measure): number {
  return measure.wide ? box.y + box.height / 2 : box.x + box.width / 2;
}

/** Where arrows cross a gap: at the boxes of the unframed stage; in the narrow picture three or more merge. */
function lanes(before: PlacedStage, after: PlacedStage, measure: Measure): number[] {
  const open = [before, after].filter((stage) => !stage.frame).sort((a, b) => b.boxes.length - a.boxes.length)[0];
  const all = (open ?? before).boxes.map((box) => middle(box, measure));
  return !measure.wide && all.length > 2 ? [measure.across / 2] : all;
}

function arrowsOf(flow: Flow, start: number, end: number, across: number[], measure: Measure): Arrow[] {
  const point = (along: number, at: number): [number, number] => (measure.wide ? [along, at] : [at, along]);
  const forth = across.map(
    (at, lane): Arrow => ({
      from: point(start, at),
      to: point(end, at),
      back: false,
      mark: flow.marks[lane],
    }),
  );
  if (flow.back === undefined) return forth;
  const at = measure.wide ? (across[1] ?? across[0] ?? 0) + 22 : (across[0] ?? 0) + 100;
  return [...forth, { from: point(end, at), to: point(start, at), back: true, mark: flow.back }];
}

/** Places a plan from left to right (wide) or from top to bottom (narrow, for phones). */
export function layOut(plan: Plan, wide: boolean): Layout {
  const measure = wide ? wideMeasure : narrowMeasure;
  const gap = wide && plan.stages.length > 4 ? 64 : measure.gap;
  const free = wideWidth - gap * (plan.stages.length - 1);
  const weights = plan.stages.reduce((sum, stage) => sum + stage.weight, 0);
  const ends: { start: number; end: number }[] = [];
  let at = 0;
  const stages = plan.stages.map((stage): PlacedStage => {
    const rows = stage.frame ? Math.ceil(stage.boxes.length / 2) : 1;
    const narrowSize = stage.frame ? rows * 40 + (rows - 1) * measure.spacing + 2 * measure.inset : narrowBox;
    const size = wide ? (free * stage.weight) / weights : narrowSize;
    const start = wide ? at : at + measure.label;
    at = start + size + gap;
    ends.push({ start: wide ? start : start - measure.label, end: start + size });
    return {
      label: stage.label,
      labelAt: wide ? [start, 16] : [0, start - 9],
      frame: stage.frame ? rect(measure, start, 0, size, measure.across) : undefined,
      boxes: boxesOf(stage, start, size, measure),
    };
  });
  const arrows = plan.flows.flatMap((flow, index) => {
    const [before, after] = [stages[index], stages[index + 1]];
    if (!before || !after) return [];
    const [start, end] = [ends[index]?.end ?? 0, (ends[index + 1]?.start ?? 0) + (wide ? 0 : measure.label)];
    return arrowsOf(flow, start, end, lanes(before, after, measure), measure);
  });
  const length = at - gap;
  return wide
    ? { width: wideWidth, height: measure.across + measure.label, stages, arrows }
    : { width: measure.across, height: length, stages, arrows };
}
