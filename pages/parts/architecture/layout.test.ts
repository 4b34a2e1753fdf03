import { describe, expect, test } from 'vitest';
import { layOut, type Rect } from './layout.ts';
import type { Plan } from './plan.ts';

const boxes = (...names: string[]) => names.map((name) => ({ name, kind: 'step' as const }));

const plans: Record<string, Plan> = {
  'three sources, a worker, a target': {
    title: 't',
    stages: [
      { label: 'Sources', weight: 5, boxes: boxes('a', 'b', 'c') },
      { label: 'Worker', weight: 6, frame: true, boxes: boxes('d', 'e', 'f', 'g') },
      { label: 'Target', weight: 5, boxes: boxes('h') },
    ],
    flows: [{ marks: [1, undefined, 2] }, { marks: [3], back: 4 }],
  },
  'five stages, an odd number of parts': {
    title: 't',
    stages: [
      { label: '1', weight: 1, boxes: boxes('a') },
      { label: '2', weight: 2, frame: true, boxes: boxes('b', 'c', 'd') },
      { label: '3', weight: 3, boxes: boxes('e', 'f') },
      { label: '4', weight: 2, frame: true, boxes: boxes('g') },
      { label: '5', weight: 1, boxes: boxes('h', 'i', 'j', 'k') },
    ],
    flows: [{ marks: [1] }, { marks: [2] }, { marks: [3], back: 5 }, { marks: [4] }],
  },
};

/** What sides have in common may differ by a hair: places are fractions. */
const hair = 0.001;
const holds = (outer: Rect, inner: Rect) =>
  inner.x >= outer.x - hair &&
  inner.y >= outer.y - hair &&
  inner.x + inner.width <= outer.x + outer.width + hair &&
  inner.y + inner.height <= outer.y + outer.height + hair;
const overlap = (one: Rect, other: Rect) =>
  one.x < other.x + other.width - hair &&
  other.x < one.x + one.width - hair &&
  one.y < other.y + other.height - hair &&
  other.y < one.y + one.height - hair;

const startOf = ({ x, y }: Rect, wide: boolean) => (wide ? x : y);
const endOf = ({ x, y, width, height }: Rect, wide: boolean) => (wide ? x + width : y + height);

describe.each(Object.entries(plans))('%s', (_name, plan) => {
  describe.each([
    ['wide', true],
    ['narrow', false],
  ] as const)('%s', (_orientation, wide) => {
    const layout = layOut(plan, wide);
    const all = layout.stages.flatMap(({ boxes }) => boxes);

    test('no box is outside the picture or its frame, and none covers another', () => {
      const picture = { x: 0, y: 0, width: layout.width, height: layout.height };
      expect(all.map(({ name }) => name)).toEqual(plan.stages.flatMap((stage) => stage.boxes.map(({ name }) => name)));
      expect(all.filter((box) => box.width <= 0 || box.height <= 0 || !holds(picture, box))).toEqual([]);
      for (const { frame, boxes } of layout.stages)
        if (frame) expect(boxes.filter((box) => !holds(frame, box) || !holds(picture, frame))).toEqual([]);
      expect(all.flatMap((one, at) => all.slice(at + 1).filter((other) => overlap(one, other)))).toEqual([]);
    });

    test('the parts of a frame stand below each other, in two columns if the picture is narrow', () => {
      const columns = layout.stages
        .filter(({ frame }) => frame)
        .map(({ boxes }) => new Set(boxes.map(({ x, y }) => (wide ? y : x))).size);
      const parts = plan.stages.filter(({ frame }) => frame).map(({ boxes }) => boxes.length);
      expect(columns).toEqual(parts.map((count) => (wide ? count : Math.min(count, 2))));
    });

    test('stages follow each other in the order in which rows pass through them', () => {
      const starts = layout.stages.map(({ boxes }) => boxes[0]?.[wide ? 'x' : 'y'] ?? -1);
      expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    });

    test('arrows cross the gap between two stages, and one goes back where the plan says so', () => {
      const along = wide ? 0 : 1;
      for (const { from, to, back } of layout.arrows) {
        const [first, last] = back ? [to[along], from[along]] : [from[along], to[along]];
        expect(first).toBeLessThan(last);
        // What ends before the arrow begins, and what begins where it ends, are all boxes there are.
        const before = all.filter((box) => endOf(box, wide) <= first + hair);
        const after = all.filter((box) => startOf(box, wide) >= last - hair);
        expect([before.length > 0, after.length > 0, before.length + after.length]).toEqual([true, true, all.length]);
      }
      const marks = plan.flows.flatMap(({ back }) => back ?? []);
      expect(layout.arrows.filter(({ back }) => back).map(({ mark }) => mark)).toEqual(marks);
    });
  });
});
