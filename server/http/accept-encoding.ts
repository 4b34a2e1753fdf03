export type Coding = 'br' | 'gzip' | 'identity';

const known = new Map<string, Coding>();
const maxKnown = 200;

/** The best coding a client takes; browsers send few different headers, so answers are kept. */
export function chooseCoding(header: string | string[] | undefined): Coding {
  if (header === undefined || header === '') return 'identity';
  const text = String(header);
  const before = known.get(text);
  if (before) return before;
  const coding = negotiate(text);
  if (known.size < maxKnown && text.length < 200) known.set(text, coding);
  return coding;
}

function negotiate(header: string): Coding {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = q === undefined ? 1 : Number(q);
    if (name !== '' && weight >= 0 && weight <= 1) weights.set(name, weight);
  }
  const others = weights.get('*') ?? 0;
  const br = weights.get('br') ?? others;
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? others;
  const identity = weights.get('identity') ?? 0;
  if (br > 0 && br >= gzip && br >= identity) return 'br';
  if (gzip > 0 && gzip >= identity) return 'gzip';
  return 'identity';
}
