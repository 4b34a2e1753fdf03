import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseYaml } from './yaml.ts';

const schema = z.strictObject({ name: z.string(), list: z.array(z.object({ n: z.number() })).optional() });
const place = { file: 'a.yml', firstLine: 2 };

test('a value that fits', () => {
  expect(parseYaml('name: x', schema, place)).toMatchObject({ value: { name: 'x' }, faults: [] });
});

test('issues name line and column of the value', () => {
  const { value, faults } = parseYaml('name: x\nlist:\n  - n: 1\n  - n: two\n', schema, place);
  expect(value).toBeUndefined();
  expect(faults).toEqual([expect.objectContaining({ file: 'a.yml', line: 5, column: 8, rule: 'schema' })]);
});

test('an unknown key and a missing one', () => {
  const { faults } = parseYaml('nam: x\n', schema, place);
  expect(faults.map(({ line, column }) => [line, column])).toEqual([
    [2, 1],
    [2, 6],
  ]);
});

test('what is not YAML', () => {
  expect(parseYaml('a: b: c\n', schema, place).faults).toEqual([expect.objectContaining({ line: 2, rule: 'yaml' })]);
});
