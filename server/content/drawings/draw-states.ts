import type { Element } from 'hast';
import { element, text } from '../plugins/elements.ts';
import { type Box, type Line, type Placed, type Port, placeStates, sizes } from './place-states.ts';
import type { StateGraph, Transition } from './read-states.ts';

const corner = 6;
/** From a line up to its label's baseline. */
const labelRise = 4.5;

/** A state diagram as SVG, without styles or scripts; its classes are in client/styles/prose.css. */
export function drawStates(graph: StateGraph, title: string): Element {
  const placed = placeStates(graph);
  const { width, height, boxes, lines } = placed;
  const size = { width: String(width), height: String(height), viewBox: `0 0 ${width} ${height}` };
  return element('svg', { className: ['states'], ...size, role: 'img' }, [
    element('title', {}, [text(title)]),
    element('desc', {}, [text(described(graph, boxes))]),
    ...headings(placed),
    ...lines.map((line) => drawnLine(line)),
    ...boxes.map(drawnBox),
  ]);
}

/** The same in words, kept short: a table beside the diagram has each transition. */
function described({ transitions }: StateGraph, boxes: readonly Box[]): string {
  const states = boxes.map(({ state }) => state).join(', ');
  const events = (asked: boolean) => [...new Set(transitions.filter((one) => one.asked === asked).map(wordsOf))];
  const sentence = (lead: string, all: string[]) => (all.length > 0 ? ` ${lead}: ${all.join('; ')}.` : '');
  return `States from top to bottom: ${states}.${sentence('On request', events(true))}${sentence('Automatic', events(false))}`;
}

function wordsOf({ event, from, to }: Transition): string {
  return `${event} leads from ${from.join(', ')} to ${to}`;
}

function headings({ width, boxes: [first], lines }: Placed): Element[] {
  const left = lines.some(({ transition }) => transition.asked);
  const right = lines.some(({ transition }) => !transition.asked);
  if (!(left && right && first)) return [];
  return [
    label('states-asked', sizes.margin, 14, 'start', 'On request'),
    label('states-itself', width - sizes.margin, 14, 'end', 'Automatic'),
  ];
}

function label(className: string, x: number, y: number, textAnchor: string, words: string): Element {
  return element('text', { className: [className], x: fixed(x), y: fixed(y), textAnchor }, [text(words)]);
}

function drawnBox({ state, x, y, width, height }: Box): Element {
  const place = { x: fixed(x), y: fixed(y), width: fixed(width), height: fixed(height), rx: '6' };
  const middle = { x: fixed(x + width / 2), y: fixed(y + height / 2 + 4.5), textAnchor: 'middle' };
  return element('g', { className: ['states-box'] }, [element('rect', place), element('text', middle, [text(state)])]);
}

function drawnLine(line: Line): Element {
  const { transition, laneX, sources, target } = line;
  const className = [transition.asked ? 'states-asked' : 'states-itself'];
  if (laneX === undefined) return element('g', { className }, straightDown(line));
  const out = Math.sign(laneX - target.x);
  const anchor = out > 0 ? 'start' : 'end';
  const ways = sources.map((source) => way(source, target, laneX, out)).join('');
  const tip = `M${fixed(target.x + out * 8)} ${fixed(target.y - 4)}L${fixed(target.x + out * 2)} ${fixed(target.y)}l${fixed(out * 6)} 4`;
  const labels = [...sources, target].map(({ x, y }) =>
    element('text', { x: fixed(x + out * sizes.labelInset), y: fixed(y - labelRise), textAnchor: anchor }, [
      text(transition.event),
    ]),
  );
  const dots = sources.map(({ x, y }) => element('circle', { cx: fixed(x), cy: fixed(y), r: '2.5' }));
  return element('g', { className }, [element('path', { d: ways + tip }), ...dots, ...labels]);
}

/** From a source along the lane to the target, with rounded corners. */
function way(source: Port, target: Port, laneX: number, out: number): string {
  const down = Math.sign(target.y - source.y);
  const inner = laneX - out * corner;
  return [
    `M${fixed(source.x)} ${fixed(source.y)}H${fixed(inner)}`,
    `Q${fixed(laneX)} ${fixed(source.y)} ${fixed(laneX)} ${fixed(source.y + down * corner)}`,
    `V${fixed(target.y - down * corner)}`,
    `Q${fixed(laneX)} ${fixed(target.y)} ${fixed(inner)} ${fixed(target.y)}`,
    `H${fixed(target.x + out * 2)}`,
  ].join('');
}

function straightDown({ transition, sources: [source], target }: Line): Element[] {
  if (!source) return [];
  const tip = `M${fixed(target.x - 4)} ${fixed(target.y - 8)}L${fixed(target.x)} ${fixed(target.y - 2)}l4 -6`;
  const middle = (source.y + target.y) / 2 + 4;
  return [
    element('path', { d: `M${fixed(source.x)} ${fixed(source.y)}V${fixed(target.y - 2)}${tip}` }),
    element('text', { x: fixed(source.x + sizes.besideStraight), y: fixed(middle), textAnchor: 'start' }, [
      text(transition.event),
    ]),
  ];
}

/** Half pixels at the finest: a drawing adds to the page's bytes. */
function fixed(value: number): string {
  return String(Math.round(value * 2) / 2);
}
