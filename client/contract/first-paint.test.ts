import { expect, test } from 'vitest';
import { firstPaint } from './first-paint.ts';

function run(stored: Record<string, string>, announcement?: string, protocol = 'https:') {
  const styles: Record<string, string> = {};
  const dataset: Record<string, string> = announcement === undefined ? {} : { announcement };
  const documentElement = { dataset, style: { setProperty: (name: string, value: string) => (styles[name] = value) } };
  const localStorage = { getItem: (key: string) => stored[key] ?? null };
  const listeners: [type: string, listener: (event: object) => void][] = [];
  const listen = (...listener: (typeof listeners)[number]) => listeners.push(listener);
  const names = ['document', 'localStorage', 'addEventListener', 'location'];
  new Function(...names, firstPaint)({ documentElement }, localStorage, listen, { protocol });
  const send = (sent: string, event: object) => {
    for (const [type, listener] of listeners) if (type === sent) listener(event);
  };
  const fail = (target: object) => send('error', { target });
  /** Whether a key is kept from the page for the search. */
  const press = (key: string) => {
    let isKept = false;
    const preventDefault = () => {
      isKept = true;
    };
    send('keydown', { key, target: { closest: () => null }, preventDefault });
    return isKept;
  };
  return { dataset, styles, fail, press };
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

test('what is typed after a / waits for the search, but only where a script that opens it may come', () => {
  const { dataset, fail, press } = run({});
  expect([...'a/ b'].map(press)).toEqual([false, true, true, true]);
  expect(dataset).toEqual({ js: '', search: ' b' });
  fail({ localName: 'script' });
  expect([...'/ '].map(press)).toEqual([false, false]);
  const saved = run({}, undefined, 'file:');
  expect([...'/ '].map(saved.press)).toEqual([false, false]);
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
