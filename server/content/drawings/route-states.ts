import type { Transition } from './read-states.ts';

/** A transition and the box rows that it joins; rows count from the top. */
export interface Route {
  transition: Transition;
  from: number[];
  to: number;
  top: number;
  bottom: number;
  /** Its vertical lane beside the boxes, counted outwards; undefined for a line straight down to the next box. */
  lane: number | undefined;
}

/** One end of a route at a box; `source` is the index in `from`, undefined for the arrow's end. */
export interface RouteEnd {
  route: Route;
  source: number | undefined;
}

/** Assigns a lane to each transition: short ones are next to the boxes, and two in one lane never share a row. */
export function routeStates(transitions: readonly Transition[], order: readonly string[]): Route[] {
  const enteredFromAbove = new Set<number>();
  const routes = transitions.map((transition): Route => {
    const from = transition.from.map((state) => order.indexOf(state));
    const to = order.indexOf(transition.to);
    return { transition, from, to, top: Math.min(...from, to), bottom: Math.max(...from, to), lane: undefined };
  });
  const beside = routes.filter(({ from, to }) => {
    const isStraight = from.length === 1 && from[0] === to - 1 && !enteredFromAbove.has(to);
    if (isStraight) enteredFromAbove.add(to);
    return !isStraight;
  });
  const placed: Route[] = [];
  for (const route of beside.toSorted((a, b) => a.bottom - a.top - (b.bottom - b.top) || a.top - b.top)) {
    const inTheWay = placed.filter((other) => shareRows(route, other)).map(({ lane }) => lane);
    route.lane = 0;
    while (inTheWay.includes(route.lane)) route.lane += 1;
    placed.push(route);
  }
  return routes;
}

function shareRows(one: Route, other: Route): boolean {
  return one.transition.asked === other.transition.asked && one.top <= other.bottom && other.top <= one.bottom;
}

/**
 * The line ends at one box, from top to bottom: first those that lead up, nearest lane first, then the same mirrored,
 * so few lines cross.
 */
export function endsAt(routes: readonly Route[], row: number): RouteEnd[] {
  const ends = routes.flatMap((route): RouteEnd[] => [
    ...route.from.flatMap((one, source) => (one === row ? [{ route, source }] : [])),
    ...(route.to === row ? [{ route, source: undefined }] : []),
  ]);
  const placeOf = ({ route: { top, bottom, lane = 0 } }: RouteEnd) => {
    const [leadsUp, leadsDown] = [top < row, bottom > row];
    if (leadsUp === leadsDown) return 0;
    return leadsUp ? lane - 1000 : 1000 - lane;
  };
  return ends.toSorted((a, b) => placeOf(a) - placeOf(b));
}
