import { beforeAll, expect, test } from 'vitest';
import { testBrand } from '../../testing/markdown-trees.ts';
import { type Compile, createCompiler } from '../compile.ts';

let compile: Compile;
beforeAll(async () => {
  compile = await createCompiler(testBrand);
});

async function told(source: string): Promise<string[]> {
  const { facts } = await compile({ file: 'docs/a.md', kind: 'doc', source });
  return facts.faults.map(({ line, column, rule, message }) => `${line}:${column} ${rule} ${message.split(' ')[0]}`);
}

async function messages(source: string): Promise<string[]> {
  const { facts } = await compile({ file: 'docs/a.md', kind: 'doc', source });
  return facts.faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

test('elements that HTML does not have are reported by name, once', async () => {
  expect(await told('Use <name> here.\n\n<TeamList :members="a" />\n\n<my-card>text</my-card>\n')).toEqual([
    ...['1:5 unknown-component <name>', '3:1 unknown-component <TeamList>', '5:1 unknown-component <my-card>'],
  ]);
});

test('elements that are removed with their content are reported', async () => {
  const source =
    '<iframe src="x"></iframe>\n\n<video><source src="a.mp4"></video>\n\n<svg><path/><text>a</text></svg>\n\n<datalist><option>a</datalist>\n';
  expect(await told(source)).toEqual([
    ...['1:1 unknown-component <iframe>', '3:1 unknown-component <video>', '5:1 unknown-component <svg>'],
    '7:1 unknown-component <datalist>',
  ]);
});

test('HTML that keeps its text or shows nothing is not reported', async () => {
  const source =
    '<center><font size="1">a</font></center> <kbd>b</kbd>\n\n<script>c</script><style>d</style>\n\n<button>e</button>\n';
  expect(await told(source)).toEqual([]);
});

test('blocks with an unknown name are reported', async () => {
  expect(await told('> :::figure[Label]\n> text\n> :::\n\n:::tip\nx\n:::\n')).toEqual(['1:3 unknown-component The']);
});

test('Nuxt Content components are reported, unless they show all their content', async () => {
  const source =
    '::hero{title="x"}\nText\n::\n\n::tip\nA :badge[new]{x="y"}, :chart{of="b"} and a :word.\n::\n\n::card{title="C"}\n::\n';
  expect(await messages(source)).toEqual([
    '1:1 The component hero is not supported: only its content is shown.',
    '6:23 The component chart is not supported: its content is missing.',
  ]);
});

test('elements in code are not reported', async () => {
  expect(await told('`<name>` and\n\n    <pod>\n\n```\n<x>\n```\n\n\\<a-b> &lt;c&gt;\n')).toEqual([]);
});
