import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../testing/content-folder.ts';
import { keptLog } from '../testing/content-log.ts';
import { patience } from '../testing/patience.ts';
import type { Content } from './content.ts';

const folder = testFolder('compile-faults');
const frailWorker = new URL('../testing/frail-worker.ts', import.meta.url);
afterEach(() => vi.useRealTimers());

test('pages beyond the limits are rejected at once, and the result is stored', async () => {
  const deepList = Array.from({ length: 400 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n');
  writeFiles(join(folder, 'bounds'), {
    'docs/a.md': '# A\n',
    'docs/blank.md': '\n'.repeat(200_000),
    'docs/crowded.md': `---\ntitle: Crowded\n---\n\n${'*_'.repeat(30_000)}\n`,
    'docs/crowded-ends.md': ']'.repeat(30_000),
    'docs/crowded-html.md': `# C\n\n<b>${'*_'.repeat(30_000)}`,
    'docs/crowded-quote.md': '> [*a*\n'.repeat(6_000),
    'docs/crowded-rows.md': `No table:\n${`| ${'*_'.repeat(200)}\n`.repeat(100)}`,
    'docs/crowded-sum.md': `${'*_'.repeat(1_000)}\n\n`.repeat(200),
    'docs/endless-code.md': `# E\n\n${Array.from({ length: 300 }, (_, length) => '`'.repeat(length)).join(' ')}${'x'.repeat(500_000)}`,
    'docs/endless-comments.md': `# E\n\na ${'<!--'.repeat(10_000)}\n`,
    'docs/deep-line.md': `---\ntitle: Deep\n---\n\n${'- '.repeat(10_000)}x`,
    'docs/deep-list.md': deepList,
    'docs/html.md': '<div>\n\n'.repeat(3000),
    'docs/large.md': 'word '.repeat(200_001),
    'docs/list.md': `${'- `a` **b**\n'.repeat(2_000)}\n${'`a` '.repeat(1_500)}\n\n${'`a` '.repeat(1_500)}\n\n${'<b>a</b>\n'.repeat(3_000)}`,
    'docs/open.md': '['.repeat(30_000),
    'docs/table.md': `| a | b |\n|---|---|\n${'| `a` *b* <!-- c --> | [d](a.md) **e** |\n'.repeat(300)}`,
    'docs/tree.md': '> '.repeat(126),
  });
  const marks = 'too many emphasis, link and code markers in one paragraph, up to line';
  const loader = testLoader(folder, 'bounds');
  const content = await loader.load();
  expect([...content.docs].map(([path, { broken }]) => [path, broken])).toEqual([
    ['/docs/a', undefined],
    ['/docs/blank', ['The file docs/blank.md has 200001 lines; at most 20000 are allowed. Split it.']],
    ['/docs/crowded-ends', [`The file docs/crowded-ends.md has ${marks} 1. Split it.`]],
    ['/docs/crowded-html', [`The file docs/crowded-html.md has ${marks} 3. Split it.`]],
    ['/docs/crowded-quote', [`The file docs/crowded-quote.md has ${marks} 1826. Split it.`]],
    ['/docs/crowded-rows', [`The file docs/crowded-rows.md has ${marks} 17. Split it.`]],
    ['/docs/crowded-sum', [`The file docs/crowded-sum.md has ${marks} 21. Split it.`]],
    ['/docs/crowded', [`The file docs/crowded.md has ${marks} 5. Split it.`]],
    ['/docs/deep-line', ['The file docs/deep-line.md nests its blocks too deeply in line 5.']],
    ['/docs/deep-list', ['The file docs/deep-list.md nests its blocks too deeply in line 129.']],
    ['/docs/endless-code', [`The file docs/endless-code.md has ${marks} 3. Split it.`]],
    ['/docs/endless-comments', [`The file docs/endless-comments.md has ${marks} 3. Split it.`]],
    ['/docs/html', ['The file docs/html.md nests its blocks too deeply.']],
    ['/docs/large', ['The file docs/large.md is 1.0 MB; at most 1 MB is allowed. Split it.']],
    ['/docs/list', undefined],
    ['/docs/open', undefined],
    ['/docs/table', undefined],
    ['/docs/tree', undefined],
  ]);
  expect(content.docs.get('/docs/deep-line')?.title).toBe('Deep');
  expect(content.docs.get('/docs/crowded')?.title).toBe('Crowded');
  expect(content.body('/docs/blank')).toEqual({
    tree: { type: 'root', children: [] },
    toc: [],
    text: '',
    readingMinutes: 1,
  });
  expect(await loader.retry()).toBeUndefined();
  await loader.close();
  const next = testLoader(folder, 'bounds');
  expect((await next.load()).stats).toMatchObject({ compiled: 0 });
  await next.close();
});

test('documents, posts and pages beyond the limits are marked as broken', async () => {
  const deep = `---\ntitle: P\ndate: 2024-01-01\ntags: [t]\nauthors: [desk]\n---\n${'> '.repeat(200)}x`;
  writeFiles(join(folder, 'marked'), {
    'docs/a.md': deep,
    'blog/p.md': deep,
    'pages/m.md': deep,
    'pages/sound.md': '# S\n',
  });
  const loader = testLoader(folder, 'marked');
  const { docs, posts, markdownPages } = await loader.load();
  const sentences = [docs.get('/docs/a'), posts.get('/blog/p'), markdownPages.get('m')].map((page) => page?.broken);
  expect(sentences).toEqual(
    ['docs/a.md', 'blog/p.md', 'pages/m.md'].map((file) => [`The file ${file} nests its blocks too deeply in line 7.`]),
  );
  expect(markdownPages.get('sound')).not.toHaveProperty('broken');
  await loader.close();
});

/** Pages of which the first makes its thread fail until a file exists; being the first, it interrupts no answer. */
function frailPages(name: string, fault: string): { options: { workerFile: URL }; mend(): void } {
  const flag = join(folder, `${name}-is-mended`);
  writeFiles(join(folder, name), {
    'docs/a-frail.md': `# Frail\n\n<!-- ${fault} UNLESS ${flag} -->\n\nText of the frail one.\n`,
    'docs/b.md': '# B\n\nText of B.\n',
    'docs/z.md': '# Z\n\nText of Z.\n',
  });
  return { options: { workerFile: frailWorker }, mend: () => writeFileSync(flag, '') };
}

/** Pages that have a message instead of their text. */
const broken = (content: Content | undefined) =>
  [...(content?.docs.values() ?? [])].flatMap(({ file, broken: sentences = [] }) =>
    sentences.map((sentence) => ({ file, sentence })),
  );

test('a page that crashes its thread fails alone, is not stored, and is retried', async () => {
  const { options, mend } = frailPages('ends', 'ENDS');
  const loader = testLoader(folder, 'ends', options);
  const content = await loader.load();
  const sentence = 'The file docs/a-frail.md could not be compiled: the compiler stopped. It will be tried again.';
  expect(broken(content)).toEqual([{ file: 'docs/a-frail.md', sentence }]);
  expect(content.faults).toEqual([
    { file: 'docs/a-frail.md', line: 1, column: 1, rule: 'broken-page', message: sentence },
  ]);
  expect([content.body('/docs/b').text, content.body('/docs/z').text]).toEqual(['Text of B.', 'Text of Z.']);
  expect(content.body('/docs/a-frail').text).toBe('');

  expect(await loader.retry()).toBeUndefined();
  mend();
  const mended = await loader.retry();
  expect(broken(mended)).toEqual([]);
  expect(mended?.faults).toEqual([]);
  expect(mended?.body('/docs/a-frail').text).toBe('Text of the frail one.');
  expect(mended?.version).not.toBe(content.version);
  expect(await loader.retry()).toBeUndefined();
  await loader.close();
});

test('the next start compiles a page that failed', async () => {
  const { options, mend } = frailPages('ends-twice', 'ENDS');
  const first = testLoader(folder, 'ends-twice', options);
  expect(broken(await first.load())).toHaveLength(1);
  await first.close();
  mend();
  const next = testLoader(folder, 'ends-twice', options);
  const content = await next.load();
  expect(content.stats).toMatchObject({ compiled: 1, cached: 2 });
  expect(broken(content)).toEqual([]);
  await next.close();
});

/** Resolves when a page blocks its thread. */
async function holding(): Promise<void> {
  const channel = new BroadcastChannel('frail-worker');
  await new Promise((done) => {
    channel.onmessage = done;
  });
  channel.close();
}

test('a page that takes longer than a minute fails alone', async () => {
  const { options, mend } = frailPages('holds', 'HOLDS');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const loader = testLoader(folder, 'holds', options);
  const held = holding();
  const loading = loader.load();
  await held;
  vi.advanceTimersByTime(59_999);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  const content = await loading;
  expect(broken(content)).toEqual([
    { file: 'docs/a-frail.md', sentence: expect.stringContaining('it took longer than 60 seconds') },
  ]);
  expect(content.body('/docs/z').text).toBe('Text of Z.');
  expect(vi.getTimerCount()).toBe(0);
  mend();
  expect(broken(await loader.retry())).toEqual([]);
  await loader.close();
});

test('closing the loader stops the compilation in progress', async () => {
  const { options } = frailPages('closed', 'HOLDS');
  const loader = testLoader(folder, 'closed', options);
  const held = holding();
  const loading = loader.load();
  await held;
  await loader.close();
  expect(broken(await loading).map(({ file }) => file)).toContain('docs/a-frail.md');
});

test('when no thread can run, compiling is given up and every page says so', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `docs/p${index}.md`);
  writeFiles(join(folder, 'no-threads'), Object.fromEntries(names.map((name) => [name, `# ${name}\n`])));
  const loader = testLoader(folder, 'no-threads', { workerFile: new URL('data:text/javascript,throw Error("No.")') });
  const sentences = broken(await loader.load()).map(({ sentence }) => sentence.replace(/^.*compiled: /, ''));
  expect(sentences.toSorted()).toEqual([
    ...Array(20).fill('No. It will be tried again.'),
    ...Array(10).fill('the compiler cannot run. It will be tried again.'),
  ]);
  await loader.close();
});

test('a thread that serves many reloads causes no Node.js warnings', async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => warnings.push(message);
  process.on('warning', onWarning);
  writeFiles(join(folder, 'reloads'), { 'docs/a.md': '# 0\n' });
  const loader = testLoader(folder, 'reloads', { production: false });
  await loader.load();
  for (let round = 1; round <= 12; round += 1) {
    writeFiles(join(folder, 'reloads'), { 'docs/a.md': `# ${round}\n` });
    expect((await loader.reload(['docs/a.md'])).docs.get('/docs/a')?.title).toBe(String(round));
  }
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
  await loader.close();
});

test('a long start logs its progress', async () => {
  const { options } = frailPages('progress', 'HOLDS');
  const log = keptLog();
  const loader = testLoader(folder, 'progress', { ...options, log, progressMs: 1 });
  const held = holding();
  const loading = loader.load();
  await held;
  await vi.waitUntil(() => log.infos.some(({ message }) => message === 'compiling content'), patience);
  expect(log.infos.at(-1)).toEqual({ message: 'compiling content', details: { compiled: 0, of: 3 } });
  await loader.close();
  await loading;
});

test('a page whose compilation throws is retried too', async () => {
  const { options, mend } = frailPages('fails', 'FAILS');
  const loader = testLoader(folder, 'fails', options);
  const sentence = 'The file docs/a-frail.md could not be compiled: Too many open files. It will be tried again.';
  expect(broken(await loader.load())).toEqual([{ file: 'docs/a-frail.md', sentence }]);
  mend();
  const mended = await loader.retry();
  expect(mended?.body('/docs/a-frail').text).toBe('Text of the frail one.');
  await loader.close();
});

test('files that are not UTF-8 are reported by line, and the readable rest of a page is shown', async () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');
  const root = join(folder, 'encoding');
  writeFiles(root, {
    'docs/a.md': '',
    'docs/d/sidebar.yml': '',
    'docs/d/x.md': '{{#include _part.md}}\n',
    'docs/d/_part.md': '',
  });
  writeFileSync(join(root, 'docs/a.md'), latin('---\ntitle: A\n---\n\nA plain line\n\nCafé\n'));
  writeFileSync(join(root, 'docs/b.md'), Buffer.from('---\ndraft: true\n---\n', 'utf16le'));
  writeFileSync(join(root, 'docs/d/sidebar.yml'), latin('label: Café\n'));
  writeFileSync(join(root, 'docs/d/_part.md'), latin('Part\ncafé'));
  const loader = testLoader(folder, 'encoding');
  const content = await loader.load();
  expect(content.docs.get('/docs/a')).toMatchObject({ title: 'A' });
  expect(content.body('/docs/a').text).toContain('A plain line');
  expect(content.faults.map(({ file, line, rule, message }) => `${file}:${line} ${rule} ${message}`)).toEqual([
    expect.stringMatching(/^docs\/a\.md:7 encoding The file is not saved as UTF-8: .* Save it as UTF-8\.$/),
    'docs/b.md:1 broken-page The file docs/b.md is not text: save it as UTF-8.',
    'docs/d/sidebar.yml:1 left-out It is left out: it is not saved as UTF-8, see line 1.',
    'docs/d/x.md:1 missing-include The file _part.md is not included: it is not saved as UTF-8, see line 2.',
  ]);
  await loader.close();
});
