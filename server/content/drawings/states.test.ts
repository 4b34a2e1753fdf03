import { expect, test } from 'vitest';
import { orderStates } from './order-states.ts';
import { type Line, type Placed, placeStates, sizes } from './place-states.ts';
import { readStates, type StateGraph } from './read-states.ts';

const read = (...lines: string[]) => readStates(['flowchart TB', ...lines].join('\n'));

function graphOf(...lines: string[]): StateGraph {
  const graph = read(...lines);
  if ('problems' in graph) throw new Error(graph.problems.map(({ problem }) => problem).join(' '));
  return graph;
}

test('lines become states and transitions, and requested transitions are marked as such', () => {
  expect(graphOf('  A & B -->|falls| C', '', 'C ==>|rise again| A')).toEqual({
    states: ['A', 'B', 'C'],
    transitions: [
      { event: 'falls', asked: false, from: ['A', 'B'], to: 'C' },
      { event: 'rise again', asked: true, from: ['C'], to: 'A' },
    ],
  });
});

test('lines that cannot be drawn are reported with their number', () => {
  expect(readStates('stateDiagram-v2\nA --> B')).toMatchObject({ problems: [{ line: 0 }] });
  expect(read()).toMatchObject({ problems: [{ line: 0 }] });
  for (const line of ['A --> B', 'A -->|x| B & C', 'A[Label] -->|x| B', 'subgraph x', 'A -->|x| B; C -->|y| D'])
    expect([line, read('A -->|x| B', line)]).toMatchObject([line, { problems: [{ line: 2 }] }]);
  expect(read('A', 'A -->|x| B', '', 'B')).toMatchObject({ problems: [{ line: 1 }, { line: 4 }] });
});

test('a drawing with too many states or transitions is refused', () => {
  const chain = (length: number) => Array.from({ length }, (_, index) => `S${index} -->|x| S${index + 1}`);
  expect(read(...chain(39))).toMatchObject({ states: { length: 40 } });
  expect(read(...chain(40))).toMatchObject({ problems: [{ problem: expect.stringContaining('at most 40 states') }] });
  const many = Array.from({ length: 121 }, (_, index) => `A -->|x${index}| B`);
  expect(read(...many)).toMatchObject({ problems: [{ problem: expect.stringContaining('120 transitions') }] });
});

test('the drawing is wide enough for the label of a straight line', () => {
  const [short, long] = ['x', 'twenty-four letters here'].map(
    (event) => placeStates(graphOf(`A -->|${event}| B`)).width,
  );
  expect(short).toBeLessThan(60);
  expect(long).toBeGreaterThan(24 * 6.6 + 30);
});

test('states are ordered by their transitions, not by the order of the lines', () => {
  const lines = [
    'STOPPED ==>|remove| GONE',
    'RUNS -->|ends| STOPPED',
    'NEW -->|begins| RUNS',
    'STOPPED ==>|start| RUNS',
  ];
  expect(orderStates(graphOf(...lines))).toEqual(['NEW', 'RUNS', 'STOPPED', 'GONE']);
  expect(orderStates(graphOf(...lines.toReversed()))).toEqual(['NEW', 'RUNS', 'STOPPED', 'GONE']);
});

test('a new state and its transitions are placed automatically', () => {
  const before = ['NEW -->|begins| RUNS', 'RUNS -->|ends| GONE'];
  const after = placeStates(graphOf(...before, 'RUNS -->|waits| WAITS', 'WAITS -->|ends| GONE'));
  expect(after.boxes.map(({ state }) => state)).toEqual(['NEW', 'RUNS', 'WAITS', 'GONE']);
  expect(after.lines).toHaveLength(4);
});

/** A random graph, the same in each run. */
function drawnAtRandom(seed: number): StateGraph {
  let state = seed;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
  const names = Array.from({ length: 2 + below(11) }, (_, index) => `STATE_${index}`);
  const name = () => names[below(names.length)] ?? 'STATE_0';
  const lines = Array.from({ length: 1 + below(20) }, (_, index) => {
    const from = [...new Set(Array.from({ length: 1 + below(4) }, name))];
    return `${from.join(' & ')} ${below(2) ? '-->' : '==>'}|event ${index}| ${name()}`;
  });
  return graphOf(...lines);
}

const ports = ({ sources, target }: Line) => [...sources, target];
const between = (value: number, low: number, high: number) => value >= low && value <= high;

/** Whether the shared parts of two lines overlap. */
function onEachOther(one: Line, other: Line): boolean {
  if (one.laneX === undefined || one.laneX !== other.laneX) return false;
  const [a, b] = [one, other].map((line) => ports(line).map(({ y }) => y));
  return Math.max(...(a ?? [])) >= Math.min(...(b ?? [])) && Math.max(...(b ?? [])) >= Math.min(...(a ?? []));
}

function faultsOf({ width, height, boxes, lines }: Placed): string[] {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) => holds || faults.push(fault);
  for (const [row, box] of boxes.entries()) {
    const next = boxes[row + 1];
    check(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${box.state} sticks out`);
    check(!next || box.y + box.height + sizes.gap <= next.y, `${box.state} lies on the next`);
    for (const edge of [box.x, box.x + box.width]) {
      const here = lines.flatMap(ports).filter((port) => port.row === row && port.x === edge);
      const ys = here.map(({ y }) => y).toSorted((a, b) => a - b);
      check(
        ys.every((y) => between(y, box.y, box.y + box.height)),
        `a line misses ${box.state}`,
      );
      check(
        ys.every((y, index) => index === 0 || y - (ys[index - 1] ?? 0) >= sizes.port),
        `lines at ${box.state} are too near`,
      );
    }
  }
  for (const [index, line] of lines.entries()) {
    const { transition, laneX } = line;
    const named = [...transition.from, transition.to];
    check(
      named.join() ===
        ports(line)
          .map(({ row }) => boxes[row]?.state)
          .join(),
      `${transition.event} ends elsewhere`,
    );
    check(laneX === undefined || between(laneX, 0, width), `${transition.event} sticks out`);
    check(
      laneX === undefined || laneX < (boxes[0]?.x ?? 0) === transition.asked,
      `${transition.event} is on the wrong side`,
    );
    for (const other of lines.slice(index + 1))
      check(!onEachOther(line, other), `${transition.event} and ${other.transition.event} lie on each other`);
  }
  return faults;
}

test('in 300 graphs, no boxes or lines overlap, and every line ends at its states', () => {
  let inLanes = 0;
  for (let seed = 1; seed <= 300; seed += 1) {
    const placed = placeStates(drawnAtRandom(seed));
    inLanes += placed.lines.filter(({ laneX }) => laneX !== undefined).length;
    expect([seed, faultsOf(placed)]).toEqual([seed, []]);
  }
  expect(inLanes).toBeGreaterThan(1000);
});
