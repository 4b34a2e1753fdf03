import { expect, test } from 'vitest';
import { isWider } from './widening.ts';

test.each([
  ['smallint', 'integer'],
  ['integer', 'numeric'],
  ['real', 'double precision'],
  ['character varying(10)', 'character varying(20)'],
  ['character varying(10)', 'text'],
  ['character varying', 'text'],
  ['numeric(10,2)', 'numeric(12,4)'],
  ['numeric(10,2)', 'numeric'],
  ['timestamp(3) without time zone', 'timestamp without time zone'],
  ['bit varying(3)', 'bit varying(4)'],
])('%s fits into %s, and not the other way', (from, to) => {
  expect([isWider(from, to), isWider(to, from)]).toEqual([true, false]);
});

test.each([
  ['numeric(10,2)', 'numeric(11,4)'],
  ['numeric(10,4)', 'numeric(10,2)'],
  ['bigint', 'numeric(10,0)'],
  ['text', 'bytea'],
  ['character(3)', 'text'],
  ['timestamp(3) without time zone', 'timestamp(3) with time zone'],
  ['real', 'numeric'],
  ['', 'text'],
])('%s does not fit into %s as it is', (from, to) => {
  expect(isWider(from, to)).toBe(false);
});
