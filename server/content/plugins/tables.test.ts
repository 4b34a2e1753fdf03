import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { element } from './elements.ts';
import { tables } from './tables.ts';

test('tables scroll in regions with different names, and cells are aligned by class', () => {
  const tree = root(el('table', el('tr', element('td', { align: 'right' }))), el('table'));
  tables()(tree);
  const region = { className: ['table-scroll'], tabIndex: 0, role: 'region' };
  expect(tree).toEqual(
    root(
      element('div', { ...region, ariaLabel: 'Table' }, [
        el('table', el('tr', element('td', { className: ['align-right'] }))),
      ]),
      element('div', { ...region, ariaLabel: 'Table 2' }, [el('table')]),
    ),
  );
});
