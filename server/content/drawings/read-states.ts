/** An event that leads from one or more states to another; `asked`: it happens on request. */
export interface Transition {
  event: string;
  asked: boolean;
  from: readonly string[];
  to: string;
}

/** What a state diagram shows; states in the order in which they are named. */
export interface StateGraph {
  states: readonly string[];
  transitions: readonly Transition[];
}

/** What cannot be drawn in a line; `line` counts from 0. */
interface Problem {
  line: number;
  problem: string;
}

// More would take long to lay out, and no one could follow it.
const mostStates = 40;
const mostTransitions = 120;
const name = '[A-Za-z][\\w-]{0,31}';
const transitionLine = new RegExp(`^\\s*(${name}(?: & ${name})*) (-->|==>)\\|([^|]{1,24})\\| (${name})\\s*$`);

/**
 * Reads the part of Mermaid's flowcharts that we draw: `flowchart TB`, then lines of the form `A & B -->|event| C`;
 * `==>` marks what happens on request.
 */
export function readStates(source: string): StateGraph | { problems: readonly Problem[] } {
  const [head = '', ...lines] = source.split('\n');
  // Anything else at the start is another kind of drawing: none of its lines are ours.
  if (head.trim() !== 'flowchart TB')
    return { problems: [{ line: 0, problem: 'A state diagram begins with “flowchart TB”.' }] };
  const problems: Problem[] = [];
  const states = new Set<string>();
  const transitions: Transition[] = [];
  for (const [index, line] of lines.entries()) {
    if (!line.trim()) continue;
    const [, sources, arrow, event, to] = transitionLine.exec(line) ?? [];
    if (!(sources && event && to)) {
      problems.push({ line: index + 1, problem: 'Write each line of a state diagram as A & B -->|event| C.' });
      continue;
    }
    const from = [...new Set(sources.split(' & '))];
    for (const state of [...from, to]) states.add(state);
    transitions.push({ event: event.trim(), asked: arrow === '==>', from, to });
  }
  if (transitions.length === 0 && problems.length === 0)
    problems.push({ line: 0, problem: 'A state diagram needs a line such as A -->|event| B.' });
  if (states.size > mostStates || transitions.length > mostTransitions)
    problems.push({
      line: 0,
      problem: `A state diagram has at most ${mostStates} states and ${mostTransitions} transitions.`,
    });
  return problems.length > 0 ? { problems } : { states: [...states], transitions };
}
