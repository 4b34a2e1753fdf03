import { expect, test } from 'vitest';
import { firstPaint } from './first-paint.ts';

function run(stored: Record<string, string>, announcement?: string, protocol = 'https:') {
  const styles: Record<string, string> = {};
  const dataset: Record<string, string> = announcement === undefined ? {} : { announcement };
  const documentElement = { dataset, style: { setProperty: (name: string, value: string) => (styles[name] = value) } };
  const localStorage = { getItem: (key: string) => stored[key] ?? null };
  const listeners: ((event: { target: object }) => void)[] = [];
  const listen = (type: string, listener: (typeof listeners)[number]) => type === 'error' && listeners.push(listener);
  const names = ['document', 'localStorage', 'addEventListener', 'location'];
  new Function(...names, firstPaint)({ documentElement }, localStorage, listen, { protocol });
  const fail = (target: object) => {
    for (const listener of listeners) listener({ target });
  };
  return { dataset, styles, fail };
}

test('empty storage only marks that scripts run', () => {
  expect(run({}, 'a')).toMatchObject({ dataset: { js: '', announcement: 'a' }, styles: {} });
});

test('theme and dismissed announcement are marked', () => {
  expect(run({ theme: 'dark', announcement: 'a' }, 'a').dataset).toMatchObject({ theme: 'dark', dismissed: '' });
  expect(run({ theme: 'system', announcement: 'a' }, 'b').dataset).toEqual({ js: '', announcement: 'b' });
});

test('a script that does not load is marked, but no other failure is', () => {
  const { dataset, fail } = run({});
  for (const target of [{ localName: 'link' }, { localName: 'img' }, {}]) fail(target);
  expect(dataset).toEqual({ js: '' });
  fail({ localName: 'script' });
  expect(dataset).toEqual({ js: '', filesMissing: '' });
});

test('a page saved to disk, for which browsers load no modules, is not marked as damaged', () => {
  const { dataset, fail } = run({}, undefined, 'file:');
  fail({ localName: 'script' });
  expect(dataset).toEqual({ js: '' });
});

test('a stored user counts only with a token and a uid', () => {
  const user = JSON.stringify({ userInfo: { uid: '1', username: 'A "B"' } });
  expect(run({ jwt_token: 't', 'user-store': user })).toMatchObject({
    dataset: { user: '' },
    styles: { '--greeting': '"Hello, A \\"B\\""' },
  });
  expect(run({ 'user-store': user }).dataset).toEqual({ js: '' });
  expect(run({ token: 't', 'user-store': '{"userInfo":{}}' }).dataset).toEqual({ js: '' });
});

test('it contains nothing that could close its element', () => {
  expect(firstPaint).not.toMatch(/<\/|<!--/);
});
