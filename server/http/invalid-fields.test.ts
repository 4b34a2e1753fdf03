import { expect, test } from 'vitest';
import { z } from 'zod';
import { inPlainWords, invalidFields } from './invalid-fields.ts';

const schema = z.strictObject({
  name: z.string('Please enter a name.'),
  price: z.object({ cents: z.int('No number.') }),
  note: z.object({ text: z.string().min(1), by: z.string() }).optional(),
});

function fieldsOf(body: unknown) {
  const { error } = schema.safeParse(body, inPlainWords);
  if (!error) throw new Error('The body is valid.');
  return invalidFields(error).toEnvelope('id');
}

test('each invalid field has its message under its path', () => {
  expect(fieldsOf({ price: { cents: 'many' } })).toMatchObject({
    code: 'INVALID_FIELDS',
    fields: { name: 'Please enter a name.', 'price.cents': 'No number.' },
  });
});

test('missing and empty fields are reported in plain words', () => {
  expect(fieldsOf({ name: 'a', price: { cents: 1 }, note: { text: '' } }).fields).toEqual({
    'note.text': 'must not be empty.',
    'note.by': 'is missing.',
  });
});

test('a field of the wrong type is not reported as missing', () => {
  const { fields } = fieldsOf({ name: 'a', price: { cents: 1 }, note: { text: 1, by: null } });
  expect(Object.keys(fields ?? {})).toEqual(['note.text', 'note.by']);
  expect(Object.values(fields ?? {})).not.toContain('is missing.');
});

test('a few unknown fields are named, with long names truncated', () => {
  const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}`.padEnd(100, 'x'), 1]));
  const { fields } = fieldsOf({ name: 'a', price: { cents: 1 }, ...unknown });
  const names = Object.keys(fields ?? {});
  expect(names).toHaveLength(10);
  expect(new Set(names.map((name) => name.length))).toEqual(new Set([64]));
  expect(new Set(Object.values(fields ?? {}))).toEqual(new Set(['Unknown field.']));
});

test('a body that is not an object is reported as a whole', () => {
  expect(Object.keys(fieldsOf('text').fields ?? {})).toEqual(['body']);
});
