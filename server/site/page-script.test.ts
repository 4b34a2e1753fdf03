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

test('a module waits in a template, with the name and hash of the file that contains its code', () => {
  expect(finish(module('/assets/entries/site.js'), true)).toBe(
    `<body><template id="PageScript"><script integrity="${hashOf(code)}" src="/assets/chunks/code.js" type="module" async></script></template></body>`,
  );
});

test('a page that its script renders does not wait, and a file with its own code is named itself', () => {
  const own = `import"../chunks/code.js";${code}`;
  expect(finish(module('/assets/entries/console.js'), false)).toBe(
    `<body><script integrity="${hashOf(own)}" src="/assets/entries/console.js" type="module" async></script></body>`,
  );
});

test('a classic script gets its hash in place, and an inline script is left alone', () => {
  const html = '<script>a</script><script noModule="" src="/old.js"></script>';
  expect(finish(html, true)).toBe(
    `<script>a</script><script integrity="${hashOf('alert(1)')}" noModule="" src="/old.js"></script>`,
  );
});

test('a script that was not built is an error', () => {
  expect(() => finish(module('/assets/entries/none.js'), true)).toThrow(/none\.js/);
});
