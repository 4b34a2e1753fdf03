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

test.each([
  [z.int().min(1).max(9), 'many', 'must be a number.'],
  [z.int().min(1).max(9), 1.5, 'must be a whole number.'],
  [z.int().min(1).max(9), 0, 'must be at least 1.'],
  [z.int().min(1).max(9), 10, 'must be at most 9.'],
  [z.number(), null, 'must be a number.'],
  [z.string().max(3), 'long', 'must have at most 3 characters.'],
  [z.string(), 5, 'must be text.'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 entries.'],
  [z.enum(['', 'a', 'b']), 'c', 'must be one of: a, b.'],
  [z.union([z.boolean(), z.enum(['yes', 'no'])]), 'maybe', 'must be one of: yes, no.'],
  [z.union([z.boolean(), z.number()], 'must be a number or a flag.'), 'maybe', 'must be a number or a flag.'],
])('what is wrong with a field is said in plain words, %#', (field, value, sentence) => {
  const { error } = z.object({ field }).safeParse({ field: value }, inPlainWords);
  expect(error && invalidFields(error).toEnvelope('id').fields).toEqual({ field: sentence });
});

test('of a body that may have two forms, the faults are those of the form that it has', () => {
  const forms = z.union([
    z.object({ wrapped: z.object({ name: z.string() }) }),
    z.object({ name: z.string(), age: z.number(), size: z.enum(['s', 'm']) }),
  ]);
  const faults = (body: unknown) => {
    const { error } = forms.safeParse(body, inPlainWords);
    return error && invalidFields(error).toEnvelope('id').fields;
  };
  expect(faults({ name: 'a', age: 'b', size: 'c' })).toEqual({
    age: 'must be a number.',
    size: 'must be one of: s, m.',
  });
  expect(faults({ wrapped: { name: 5 } })).toEqual({ 'wrapped.name': 'must be text.' });
});
