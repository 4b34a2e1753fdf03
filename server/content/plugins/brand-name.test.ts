import { expect, test } from 'vitest';
import { el, root, testFile } from '../../testing/markdown-trees.ts';
import { brandName } from './brand-name.ts';
import { element, text } from './elements.ts';

const start = (line: number, column: number) => ({ start: { line, column }, end: { line, column } });

test('the directive is replaced in text and attributes, but not in code', () => {
  const { file } = testFile();
  const tree = root(
    el('p', 'Write to :brand[supportEmail] at :brand.', el('code', ':brand')),
    element('a', { href: 'mailto::brand%5BsalesEmail%5D' }),
  );
  brandName()(tree, file);
  expect(tree).toEqual(
    root(
      el('p', 'Write to support@test.example at Testmill.', el('code', ':brand')),
      element('a', { href: 'mailto:sales@test.example' }),
    ),
  );
});

test.each(['redis:brandy', 'a:brand', '/:brand', ':brand-new'])('%s is text', (written) => {
  const { file } = testFile();
  const tree = root(el('p', written));
  brandName()(tree, file);
  expect(tree).toEqual(root(el('p', written)));
});

test('a hard-coded brand name is reported at its position, also on a later line', () => {
  const { file, page } = testFile();
  const written = { ...text('One line\nwith Testmill'), position: start(4, 3) };
  brandName()(root(element('p', {}, [written])), file);
  expect(page.faults).toEqual([expect.objectContaining({ rule: 'brand-name', line: 5, column: 6 })]);
});

test('an unknown field is reported and left unchanged', () => {
  const { file, page } = testFile();
  const tree = root(el('p', ':brand[phone]'));
  brandName()(tree, file);
  expect(tree).toEqual(root(el('p', ':brand[phone]')));
  expect(page.faults).toEqual([expect.objectContaining({ rule: 'brand-field' })]);
});
