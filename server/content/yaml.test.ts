import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseYaml } from './yaml.ts';

const schema = z.strictObject({ name: z.string(), list: z.array(z.object({ n: z.number() })).optional() });
const place = { file: 'a.yml', firstLine: 2 };

test('a valid value is parsed', () => {
  expect(parseYaml('name: x', schema, place)).toMatchObject({ value: { name: 'x' }, faults: [] });
});

test.each([
  ['name: [open\n', 'What begins with [ or { must end with ] or }; a text that begins with one of them needs quotes.'],
  [
    'name: {open\nlist:\n',
    'What begins with [ or { must end with ] or }; a text that begins with one of them needs quotes.',
  ],
  ['name: "open\n', 'A text that begins with a quotation mark must end with the same one.'],
  ["name: 'open\n", 'A text that begins with a quotation mark must end with the same one.'],
])('what is opened and never closed is said in plain words: %j', (text, message) => {
  expect(parseYaml(text, schema, place).faults[0]).toMatchObject({ rule: 'yaml', message });
});

test('faults have the line and column of the value', () => {
  const { value, faults } = parseYaml('name: x\nlist:\n  - n: 1\n  - n: two\n', schema, place);
  expect(value).toBeUndefined();
  expect(faults).toEqual([expect.objectContaining({ file: 'a.yml', line: 5, column: 8, rule: 'schema' })]);
});

test('an unknown key and a missing one are reported', () => {
  const { faults } = parseYaml('nam: x\n', schema, place);
  expect(faults.map(({ line, column }) => [line, column])).toEqual([
    [2, 1],
    [2, 6],
  ]);
});

test('faults name the value, and positions are those of values and keys', () => {
  expect(parseYaml('name: 1', schema, place).faults[0]?.message).toMatch(/^name: /);
  expect(parseYaml('name: x\nlist:\n  - n: two\n', schema, place).faults[0]?.message).toMatch(/^list\.0\.n: /);
  expect(parseYaml('7', schema, place).faults).toMatchObject([{ line: 2, column: 1 }]);
  // Of several unknown keys, the first is reported at its position.
  const unknown = parseYaml('name: x\nlist:\n  - n: 1\nmore: 1\nother: 2\n', schema, place);
  expect(unknown.faults).toMatchObject([{ line: 5, column: 7 }]);
  expect(unknown.faults[0]?.message).not.toMatch(/^:/);
  const { at, atKey } = parseYaml('name: x\nlist:\n  - n: 1\n  -\n"3": {4: five}\n', schema, place);
  const paths = [
    ['name'],
    ['list'],
    ['list', 0, 'n'],
    ['list', 0, 'gone', 'x'],
    ['list', 9],
    ['name', 'x'],
    ['3', 4],
    [],
  ];
  expect(paths.map((path) => Object.values(at(path)).join(':'))).toEqual([
    ...['2:7', '4:3', '4:8', '4:5', '4:3', '2:7', '6:10', '2:1'],
  ]);
  expect(paths.map((path) => Object.values(atKey(path)).join(':'))).toEqual([
    ...['2:1', '3:1', '4:5', '4:5', '3:1', '2:1', '6:7', '2:1'],
  ]);
});

test('an empty file counts as one without keys', () => {
  expect(parseYaml('', z.strictObject({}), place)).toMatchObject({ value: {}, faults: [] });
  expect(parseYaml('', schema, place).faults).toMatchObject([{ line: 2, column: 1, rule: 'schema' }]);
});

test('a syntax error is described on one line, without a position', () => {
  expect(parseYaml('a: "b\n', schema, place).faults[0]?.message).toMatch(/^[^\n]+(?<! at line.*)$/);
});

test.each([
  ['name: One: two', 2, 7, /needs quotes/],
  ['name: x\n  list: []', 2, 7, /same column/],
  ['name: x\nname: y', 3, 1, /already above/],
])('%j is described as its author sees it', (source, line, column, message) => {
  const [fault] = parseYaml(source, schema, place).faults;
  expect(fault).toMatchObject({ line, column, message: expect.stringMatching(message) });
});

test('a syntax error is reported on its line', () => {
  expect(parseYaml('a: b: c\n', schema, place).faults).toEqual([expect.objectContaining({ line: 2, rule: 'yaml' })]);
});

test.each([
  [
    'aliases that expand too far',
    `a: &a [1]\nb: [${'*a, '.repeat(200)}]\nc: &c [*a]\nd: [${'*c, '.repeat(200)}]`,
    /alias/i,
  ],
  ['a merge of something that is not a map', 'a: &a 1\nb:\n  <<: *a\n', /merge/i],
])('refuses %s', (_what, source, message) => {
  const { value, faults } = parseYaml(source, z.unknown(), place);
  expect(value).toBeUndefined();
  expect(faults).toEqual([
    { file: 'a.yml', line: 2, column: 1, rule: 'yaml', message: expect.stringMatching(message) },
  ]);
});

test('lists that are nested too deeply are reported, whichever parser fails first', () => {
  const lists: z.ZodType<unknown> = z.lazy(() => z.array(lists));
  const messages = [5, 400, 800, 1600, 3200, 6400, 12_800].map((depth) => {
    const { value, faults } = parseYaml('['.repeat(depth) + ']'.repeat(depth), lists, place);
    expect(value === undefined).toBe(faults.length > 0);
    return faults[0];
  });
  expect(messages[0]).toBeUndefined();
  expect(messages.at(-1)).toMatchObject({ line: 2, rule: 'yaml', message: 'Lists or keys are nested too deeply.' });
});
