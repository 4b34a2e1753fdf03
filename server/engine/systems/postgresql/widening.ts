/** Numeric types, each accepting every value of those before it. */
const ladders = [
  ['smallint', 'integer', 'bigint', 'numeric'],
  ['real', 'double precision'],
];

/** Types whose declared length or precision only limits what they accept. */
const limited = /^(?:character varying|numeric|bit varying|(?:time|timestamp) with(?:out)? time zone)$/;

/**
 * Whether a type accepts every value of another one without changing its text, so a column may get it automatically.
 * @param from as `format_type` prints it, as is `to`
 */
export function isWider(from: string, to: string): boolean {
  const one = typeParts(from);
  const other = typeParts(to);
  if (one.name === other.name && limited.test(one.name)) return isLessLimited(one.limits, other.limits);
  if (one.name === 'character varying' && to === 'text') return true;
  return (
    other.limits.length === 0 &&
    ladders.some((ladder) => ladder.includes(from) && ladder.indexOf(to) > ladder.indexOf(from))
  );
}

function isLessLimited([length, scale = 0]: readonly number[], [newLength, newScale = 0]: readonly number[]): boolean {
  if (newLength === undefined) return true;
  // For numbers, the digits before the decimal point are compared separately.
  return length !== undefined && newScale >= scale && newLength - newScale >= length - scale;
}

/** A type with its declared limits. */
export interface TypeParts {
  name: string;
  limits: readonly number[];
}

/** `timestamp(3) without time zone` has its limit inside its name. */
export function typeParts(type: string): TypeParts {
  const limits = /\(([\d,-]+)\)/.exec(type)?.[1]?.split(',').map(Number) ?? [];
  return { name: type.replace(/\([\d,-]+\)/, ''), limits };
}
