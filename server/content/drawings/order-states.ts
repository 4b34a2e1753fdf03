import type { StateGraph } from './read-states.ts';

// Each pass improves the drawing, and few are needed.
const mostPasses = 20;

/**
 * The states from top to bottom, ordered so that lines are short and most point down: one state at a time moves to its
 * best place until no move helps. The same graph always gets the same order.
 */
export function orderStates(graph: StateGraph): string[] {
  let best = [...graph.states];
  let least = costOf(best, graph);
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const before = least;
    for (const state of graph.states) {
      const others = best.filter((one) => one !== state);
      for (let place = 0; place <= others.length; place += 1) {
        const tried = others.toSpliced(place, 0, state);
        const cost = costOf(tried, graph);
        if (cost < least) [best, least] = [tried, cost];
      }
    }
    if (least === before) break;
  }
  return best;
}

/**
 * Total length of all lines in rows; a line that points up costs more, and so does a first or last state placed in the
 * middle.
 */
function costOf(order: readonly string[], { states, transitions }: StateGraph): number {
  const row = new Map(order.map((state, index) => [state, index]));
  const rowOf = (state: string) => row.get(state) ?? 0;
  let cost = 0;
  for (const { asked, from, to } of transitions) {
    const rows = [...from, to].map(rowOf);
    cost += Math.max(...rows) - Math.min(...rows);
    cost += from.filter((state) => rowOf(state) > rowOf(to)).length * (asked ? 0.5 : 4);
  }
  for (const state of states) {
    const others = transitions.filter(({ from, to }) => from.length > 1 || from[0] !== to);
    if (!others.some(({ to }) => to === state)) cost += rowOf(state) * 2;
    if (!others.some(({ from }) => from.includes(state))) cost += (order.length - 1 - rowOf(state)) * 2;
  }
  return cost;
}
