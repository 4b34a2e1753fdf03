import type { Column, MadeOf } from '../../table.ts';
import { isWider, type TypeParts, typeParts } from './widening.ts';

/**
 * How values of one type, written as text, enter a column of another type. `whole`: unchanged. `refused`: a value that
 * does not fit raises an error. `clipped`: the same, but blanks beyond the limit are silently cut. `altered`: values are
 * silently rounded, cut or lose a part. `restated`: the same value in another form.
 */
export type ColumnFit = 'whole' | 'refused' | 'clipped' | 'altered' | 'restated';

/** The maximum number of digits in integer types; a number with fewer digits always fits. */
const mostDigits = new Map([
  ['smallint', 5],
  ['integer', 10],
  ['bigint', 19],
]);
/** Decimal digits that a floating-point type preserves. */
const exactDigits = new Map([
  ['real', 6],
  ['double precision', 15],
]);

const texts = ['text', 'character varying', 'character', 'bpchar', 'name', 'citext'];
/** The most characters of a value's text; those of other types are not limited. */
const mostCharacters = new Map([
  ['"char"', 1],
  ['boolean', 1],
  ['smallint', 6],
  ['integer', 11],
  ['bigint', 20],
  ['uuid', 36],
]);
/** Types that accept another type's text but lose part of it. */
const ofDay = ['time without time zone', 'time with time zone'];
const lostParts = new Map([
  ['timestamp without time zone', ['date', ...ofDay]],
  ['timestamp with time zone', ['date', ...ofDay]],
  ['time with time zone', ['time without time zone']],
]);
const clock = /^(?:time|timestamp) with(?:out)? time zone$/;
/** Types that round a text, or drop a part of it, such as the time of day; of numeric, only if it is limited. */
const rounding = /^(?:date|money|real|double precision|interval.*|(?:time|timestamp) with(?:out)? time zone)$/;
/** The bytes that `name` can hold; a character may take four. */
const bytesOfName = 63;

type Typed = Pick<Column, 'type'> & { made?: MadeOf | null };

/**
 * The same for columns, whose types may be built from other types: the same name on both sides, but not the same type.
 */
export function fitOf(from: Typed, to: Typed): ColumnFit {
  const [one, other] = [from.made?.attributes, to.made?.attributes];
  if (one && other) return attributesFit(one, other);
  if (other && isText(typeParts(from.made?.type ?? from.type)))
    return other.some(({ type }) => columnFit('text', type) === 'altered') ? 'altered' : 'refused';
  return columnFit(from.made?.type ?? from.type, to.made?.type ?? to.type);
}

/** Whether a column loses what the job must keep. @param isKey two keys would become one if blanks are cut */
export const isAltered = (fit: ColumnFit, isKey: boolean) => fit === 'altered' || (isKey && fit === 'clipped');

type Attributes = NonNullable<MadeOf['attributes']>;

/**
 * Their text has no names, so each value goes to the attribute at its position; a different number of them is refused.
 */
function attributesFit(from: Attributes, to: Attributes): ColumnFit {
  if (from.length !== to.length) return 'refused';
  const there = to.map(({ name }) => name);
  const isMoved = from.some(({ name }, place) => there[place] !== name && there.includes(name));
  const fits = from.map(({ type }, place) => columnFit(type, to[place]?.type ?? type));
  if (isMoved || fits.includes('altered')) return 'altered';
  return fits.find((fit) => fit !== 'whole') ?? 'whole';
}

/** @param from as `format_type` prints it, as is `to` */
function columnFit(from: string, to: string): ColumnFit {
  if (from === to) return 'whole';
  for (const around of ['[]', ' range'])
    if (from.endsWith(around) && to.endsWith(around))
      return columnFit(from.slice(0, -around.length), to.slice(0, -around.length));
  if (isWider(from, to)) return 'whole';
  const [one, other] = [typeParts(from), typeParts(to)];
  const element = /(?:\[\]| range)$/.exec(to);
  if (element && isText(one)) return columnFit(from, to.slice(0, element.index)) === 'altered' ? 'altered' : 'refused';
  return numberFit(one, other) ?? timeFit(one, other) ?? textFit(one, other);
}

interface Digits {
  before: number;
  behind: number;
}

const digitsOfMoney: Digits = { before: 17, behind: 2 };

/** Digits before and after the decimal point; undefined if the type does not limit them. */
function digitsOf({ name, limits: [precision, scale = 0] }: TypeParts): Digits | undefined {
  const whole = mostDigits.get(name);
  if (whole !== undefined) return { before: whole, behind: 0 };
  if (name !== 'numeric' || precision === undefined) return undefined;
  return { before: precision - scale, behind: scale };
}

function numberFit(from: TypeParts, to: TypeParts): ColumnFit | undefined {
  if (!mostDigits.has(from.name) && !exactDigits.has(from.name) && from.name !== 'numeric') return undefined;
  const digits = digitsOf(from);
  const most = mostDigits.get(to.name);
  // A decimal point is refused, even before zeros.
  if (most !== undefined) return digits?.behind === 0 && digits.before < most ? 'whole' : 'refused';
  const exact = exactDigits.get(to.name);
  if (exact !== undefined) return digits && digits.before + Math.max(digits.behind, 0) <= exact ? 'whole' : 'altered';
  return decimalFit(digits, to.name === 'money' ? digitsOfMoney : digitsOf(to));
}

function decimalFit(digits: Digits | undefined, room: Digits | undefined): ColumnFit | undefined {
  if (!room) return undefined;
  if (!digits || digits.behind > room.behind) return 'altered';
  return digits.before > room.before ? 'refused' : 'whole';
}

function timeFit(from: TypeParts, to: TypeParts): ColumnFit | undefined {
  if (from.name.startsWith('interval') && to.name.startsWith('interval'))
    return to.name === 'interval' && isAsPrecise(from, to) ? 'whole' : 'altered';
  const lost = lostParts.get(from.name) ?? [];
  if (lost.includes(to.name)) return 'altered';
  if (!clock.test(from.name) || !clock.test(to.name)) return undefined;
  if (!isAsPrecise(from, to)) return 'altered';
  return from.name !== to.name && from.name.startsWith('timestamp') ? 'restated' : 'whole';
}

/** Without a declared precision, it is a microsecond. */
const isAsPrecise = ({ limits: [from = 6] }: TypeParts, { limits: [to = 6] }: TypeParts) => to >= from;

function textFit(from: TypeParts, to: TypeParts): ColumnFit {
  if (from.name === 'json' && to.name === 'jsonb') return 'restated';
  if (from.name.startsWith('bit') && to.name.startsWith('bit')) return 'refused';
  return isText(from) ? readFit(from, to) : printedFit(from, to);
}

/** A text that is read as a value of another type, or enters another text. */
function readFit(from: TypeParts, to: TypeParts): ColumnFit {
  const [length = from.name === 'name' ? bytesOfName : Number.POSITIVE_INFINITY] = from.limits;
  const [room = Number.POSITIVE_INFINITY] = to.limits;
  if (to.name === '"char"') return 'altered';
  if (to.name === 'name') return length * 4 > bytesOfName ? 'altered' : 'whole';
  if (to.name === 'numeric') return to.limits.length > 0 ? 'altered' : 'refused';
  if (!isText(to)) return rounding.test(to.name) ? 'altered' : 'refused';
  if (length > room) return 'clipped';
  return to.name === 'character' && from.name !== 'character' ? 'restated' : 'whole';
}

/** The printed value of a type that is none of texts: it has no blanks at its end. */
function printedFit(from: TypeParts, to: TypeParts): ColumnFit {
  const most = mostCharacters.get(from.name) ?? Number.POSITIVE_INFINITY;
  if (to.name === '"char"') return most > 1 ? 'altered' : 'whole';
  if (to.name === 'name') return most > bytesOfName ? 'altered' : 'whole';
  const [room] = to.limits;
  if (room === undefined || !isText(to)) return 'whole';
  if (most > room) return 'refused';
  return to.name === 'character' ? 'restated' : 'whole';
}

/** Types of an extension may be printed with its schema. */
const isText = ({ name }: TypeParts) => texts.includes(name.replace(/^.*\.(?=citext$)/, ''));
