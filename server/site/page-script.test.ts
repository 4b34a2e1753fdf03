import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { testFolder, writeFiles } from '../testing/content-folder.ts';
import { pageScript } from './page-script.ts';

const folder = testFolder('page-script');
const code = 'import"./part.js";document.title="a"';
writeFiles(folder, {
  'assets/entries/site.js': 'import"../chunks/code.js";\n',
  'assets/chunks/code.js': code,
  'assets/entries/console.js': `import"../chunks/code.js";${code}`,
  'old.js': 'alert(1)',
});
const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const finish = pageScript(folder);
const module = (file: string) => `<body><script src="${file}" type="module" async></script></body>`;

test('a module waits in a template, under the name and the hash of the file that holds its code', () => {
  expect(finish(module('/assets/entries/site.js'), true)).toBe(
    `<body><template id="page-script"><script integrity="${hashOf(code)}" src="/assets/chunks/code.js" type="module" async></script></template></body>`,
  );
});

test('where the page is drawn by its script, it does not wait; a file with code of its own is named itself', () => {
  const own = `import"../chunks/code.js";${code}`;
  expect(finish(module('/assets/entries/console.js'), false)).toBe(
    `<body><script integrity="${hashOf(own)}" src="/assets/entries/console.js" type="module" async></script></body>`,
  );
});

test('a script that is no module gets its hash where it stands, and one inside the document is left alone', () => {
  const html = '<script>a</script><script noModule="" src="/old.js"></script>';
  expect(finish(html, true)).toBe(
    `<script>a</script><script integrity="${hashOf('alert(1)')}" noModule="" src="/old.js"></script>`,
  );
});

test('a script that was not built ends the page', () => {
  expect(() => finish(module('/assets/entries/none.js'), true)).toThrow(/none\.js/);
});
