import type { Data, Processor } from 'unified';
import { bounds } from '../bounds.ts';

type Syntax = NonNullable<Data['micromarkExtensions']>[number];
type Construct = Exclude<NonNullable<Syntax['text']>[number], readonly unknown[] | undefined>;
type Tokenize = Construct['tokenize'];
type Parse = ThisParameterType<Tokenize>['parser'];

/** A text has more emphasis and link markers in its paragraphs than can be parsed in time. */
export class CrowdedTextError extends Error {
  /** Where the limit was exceeded, in the parsed text. */
  readonly line: number;

  constructor(line: number) {
    super(`There are too many emphasis and link markers up to line ${line}.`);
    this.line = line;
  }
}

/** The markers that search backwards. */
const marks = [...'*_~]'].map((mark) => mark.charCodeAt(0));

/**
 * Makes the parser reject a text whose markers would take it minutes: each marker searches for its partner through
 * everything before it in its paragraph. The parser counts them itself, since only it knows what a paragraph, a cell or
 * code is.
 */
export function crowdedText(this: Processor): void {
  const data = this.data();
  const construct: Construct = { name: 'crowdedText', tokenize: counted(new WeakMap()) };
  const text = Object.fromEntries(marks.map((mark) => [mark, construct]));
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text }];
}

/** Is not a marker itself: the parser's next construct reads on. */
function counted(steps: WeakMap<Parse, number>): Tokenize {
  return function tokenize(_effects, _ok, nok) {
    const taken = (steps.get(this.parser) ?? 0) + this.events.length;
    if (taken > bounds.stepsBack) throw new CrowdedTextError(this.now().line);
    steps.set(this.parser, taken);
    return nok;
  };
}
