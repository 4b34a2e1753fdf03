import type { Data, Processor } from 'unified';
import { bounds } from '../bounds.ts';

type Syntax = NonNullable<Data['micromarkExtensions']>[number];
type Construct = Exclude<NonNullable<Syntax['text']>[number], readonly unknown[] | undefined>;
type Tokenize = Construct['tokenize'];
type Parse = ThisParameterType<Tokenize>['parser'];

/** A text has more marks of emphasis and links in its paragraphs than can be parsed in time. */
export class CrowdedTextError extends Error {
  /** Where they became too many, in what was parsed. */
  readonly line: number;

  constructor(line: number) {
    super(`There are too many marks of emphasis and links up to line ${line}.`);
    this.line = line;
  }
}

/** Those that look back. */
const marks = [...'*_~]'].map((mark) => mark.charCodeAt(0));

/**
 * Has the parser refuse a text whose marks would take it minutes: each mark looks for its partner through all that stands
 * before it in its paragraph. Counted by the parser itself, which alone knows what a paragraph, a cell or code is.
 */
export function crowdedText(this: Processor): void {
  const data = this.data();
  const construct: Construct = { name: 'crowdedText', tokenize: counted(new WeakMap()) };
  const text = Object.fromEntries(marks.map((mark) => [mark, construct]));
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text }];
}

/** Is no mark itself: what follows it in the parser reads on. */
function counted(steps: WeakMap<Parse, number>): Tokenize {
  return function tokenize(_effects, _ok, nok) {
    const taken = (steps.get(this.parser) ?? 0) + this.events.length;
    if (taken > bounds.stepsBack) throw new CrowdedTextError(this.now().line);
    steps.set(this.parser, taken);
    return nok;
  };
}
