/** An event that leads from one or several states to another; `asked`: a person asks for it. */
export interface Transition {
  event: string;
  asked: boolean;
  from: readonly string[];
  to: string;
}

/** What a drawing of states shows; states in the order in which they are named. */
export interface StateGraph {
  states: readonly string[];
  transitions: readonly Transition[];
}

/** What a line has that cannot be drawn; `line` counts from 0. */
interface Problem {
  line: number;
  problem: string;
}

// More would take long to lay out, and nobody could follow it.
const mostStates = 40;
const mostTransitions = 120;
const name = '[A-Za-z][\\w-]{0,31}';
const transitionLine = new RegExp(`^\\s*(${name}(?: & ${name})*) (-->|==>)\\|([^|]{1,24})\\| (${name})\\s*$`);

/**
 * Reads the part of Mermaid's flowcharts that we draw: `flowchart TB`, then lines of the form `A & B -->|event| C`;
 * `==>` marks what a person asks for.
 */
export function readStates(source: string): StateGraph | { problems: readonly Problem[] } {
  const [head = '', ...lines] = source.split('\n');
  // What begins otherwise is another kind of drawing: no line of it is ours.
  if (head.trim() !== 'flowchart TB')
    return { problems: [{ line: 0, problem: 'A drawing of states begins with “flowchart TB”.' }] };
  const problems: Problem[] = [];
  const states = new Set<string>();
  const transitions: Transition[] = [];
  for (const [index, line] of lines.entries()) {
    if (!line.trim()) continue;
    const [, sources, arrow, event, to] = transitionLine.exec(line) ?? [];
    if (!(sources && event && to)) {
      problems.push({ line: index + 1, problem: 'A line of a drawing of states is written A & B -->|event| C.' });
      continue;
    }
    const from = [...new Set(sources.split(' & '))];
    for (const state of [...from, to]) states.add(state);
    transitions.push({ event: event.trim(), asked: arrow === '==>', from, to });
  }
  if (transitions.length === 0 && problems.length === 0)
    problems.push({ line: 0, problem: 'A drawing of states needs a line such as A -->|event| B.' });
  if (states.size > mostStates || transitions.length > mostTransitions)
    problems.push({
      line: 0,
      problem: `A drawing has at most ${mostStates} states and ${mostTransitions} transitions.`,
    });
  return problems.length > 0 ? { problems } : { states: [...states], transitions };
}
