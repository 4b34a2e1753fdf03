import { expect, test } from 'vitest';
import { firstPaint } from './first-paint.ts';

function run(stored: Record<string, string>, announcement?: string) {
  const styles: Record<string, string> = {};
  const dataset: Record<string, string> = announcement === undefined ? {} : { announcement };
  const documentElement = { dataset, style: { setProperty: (name: string, value: string) => (styles[name] = value) } };
  const localStorage = { getItem: (key: string) => stored[key] ?? null };
  new Function('document', 'localStorage', firstPaint)({ documentElement }, localStorage);
  return { dataset, styles };
}

test('an empty store only says that scripts run', () => {
  expect(run({}, 'a')).toEqual({ dataset: { js: '', announcement: 'a' }, styles: {} });
});

test('theme and dismissed announcement are marked', () => {
  expect(run({ theme: 'dark', announcement: 'a' }, 'a').dataset).toMatchObject({ theme: 'dark', dismissed: '' });
  expect(run({ theme: 'system', announcement: 'a' }, 'b').dataset).toEqual({ js: '', announcement: 'b' });
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

test('it holds nothing that could end its element', () => {
  expect(firstPaint).not.toMatch(/<\/|<!--/);
});
