import { orderStates } from './order-states.ts';
import type { StateGraph, Transition } from './read-states.ts';
import { endsAt, type Route, type RouteEnd, routeStates } from './route-states.ts';

export interface Box {
  state: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a line leaves or enters a box. */
export interface Port {
  x: number;
  y: number;
  /** The box's row, from the top. */
  row: number;
}

export interface Line {
  transition: Transition;
  /** x of the vertical part that all its sources share; undefined for a line straight down to the next box. */
  laneX: number | undefined;
  sources: Port[];
  target: Port;
}

/** A drawing with every position computed, in px. */
export interface Placed {
  width: number;
  height: number;
  boxes: Box[];
  lines: Line[];
}

/** In px. */
export const sizes = {
  /** Between two lines at a box, leaving room for a label above each. */
  port: 19,
  lane: 11,
  gap: 30,
  /** Above the first box, for the headings of the two sides. */
  head: 36,
  leastBox: 40,
  aboveFirstPort: 17,
  belowLastPort: 9,
  margin: 2,
  besideName: 12,
  nameLetter: 7.25,
  eventLetter: 6.6,
  /** From the box to its labels, and from there to the first lane. */
  labelInset: 12,
  labelEnd: 10,
  /** From a line straight down to its label. */
  besideStraight: 10,
};

/** What runs on one side of the boxes. */
interface Side {
  routes: Route[];
  /** -1 to the left of the boxes, 1 to the right. */
  direction: -1 | 1;
  /** From the boxes to the first lane, and to the side's outer edge. */
  labels: number;
  width: number;
}

/**
 * Boxes one below the other; events on request run on their left, all others on their right. Each transition has its
 * own vertical lane, which the lanes of its sources join.
 */
export function placeStates({ states, transitions }: StateGraph): Placed {
  const order = orderStates({ states, transitions });
  const routes = routeStates(transitions, order);
  const beside = routes.filter(({ lane }) => lane !== undefined);
  const left = sideOf(
    beside.filter(({ transition }) => transition.asked),
    -1,
  );
  const right = sideOf(
    beside.filter(({ transition }) => !transition.asked),
    1,
  );
  const boxes = boxesOf(order, left, right);
  const [first, last] = [boxes[0], boxes.at(-1)];
  const { x = 0, width = 0 } = first ?? {};
  const straight = routes.filter(({ lane }) => lane === undefined).map(({ transition }) => labelWidth(transition));
  return {
    // A label beside a straight line down may extend farther than the lanes on the right.
    width:
      Math.max(x + width + right.width, ...straight.map((label) => x + width / 2 + sizes.besideStraight + label)) +
      sizes.margin,
    height: (last?.y ?? 0) + (last?.height ?? 0) + sizes.margin,
    boxes,
    lines: routes.map((route) => {
      if (route.lane === undefined) return straightLine(route, boxes);
      return lineBeside(route, route.lane, route.transition.asked ? left : right, boxes);
    }),
  };
}

function sideOf(routes: Route[], direction: -1 | 1): Side {
  if (routes.length === 0) return { routes, direction, labels: 0, width: 0 };
  const longest = Math.max(...routes.map(({ transition }) => labelWidth(transition)));
  const labels = sizes.labelInset + longest + sizes.labelEnd;
  const lanes = Math.max(...routes.map(({ lane }) => lane ?? 0));
  return { routes, direction, labels, width: labels + lanes * sizes.lane + sizes.margin };
}

function labelWidth({ event }: Transition): number {
  return Math.ceil(event.length * sizes.eventLetter);
}

function boxesOf(order: readonly string[], left: Side, right: Side): Box[] {
  const width = Math.ceil(Math.max(...order.map((state) => state.length)) * sizes.nameLetter) + 2 * sizes.besideName;
  let y = sizes.head;
  return order.map((state, row): Box => {
    const ends = Math.max(endsAt(left.routes, row).length, endsAt(right.routes, row).length);
    const box = { state, x: sizes.margin + left.width, y, width, height: Math.max(sizes.leastBox, portsHeight(ends)) };
    y += box.height + sizes.gap;
    return box;
  });
}

function portsHeight(count: number): number {
  return sizes.aboveFirstPort + Math.max(0, count - 1) * sizes.port + sizes.belowLastPort;
}

function lineBeside(route: Route, lane: number, side: Side, boxes: readonly Box[]): Line {
  const edge = (boxes[0]?.x ?? 0) + (side.direction > 0 ? (boxes[0]?.width ?? 0) : 0);
  const port = (row: number, source: RouteEnd['source']): Port => {
    const ends = endsAt(side.routes, row);
    const place = ends.findIndex((end) => end.route === route && end.source === source);
    const { y = 0, height = 0 } = boxes[row] ?? {};
    const first = y + (height - portsHeight(ends.length)) / 2 + sizes.aboveFirstPort;
    return { x: edge, y: first + place * sizes.port, row };
  };
  return {
    transition: route.transition,
    laneX: edge + side.direction * (side.labels + lane * sizes.lane),
    sources: route.from.map(port),
    target: port(route.to, undefined),
  };
}

/** From the middle of a box down to the next box. */
function straightLine({ transition, from: [above = 0], to }: Route, boxes: readonly Box[]): Line {
  const [source, target] = [boxes[above], boxes[to]];
  const x = (source?.x ?? 0) + (source?.width ?? 0) / 2;
  return {
    transition,
    laneX: undefined,
    sources: [{ x, y: (source?.y ?? 0) + (source?.height ?? 0), row: above }],
    target: { x, y: target?.y ?? 0, row: to },
  };
}
