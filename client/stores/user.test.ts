import { expect, test } from 'vitest';
import { readUserInfo } from './user.ts';

test.each([
  [
    { uid: '7', username: 'Ada', email: 'a@mail.example', role: 'x' },
    { uid: '7', username: 'Ada', email: 'a@mail.example' },
  ],
  // Older sign-ins stored a number.
  [{ uid: 7 }, { uid: '7' }],
  [{ uid: 0 }, { uid: '0' }],
  [{ uid: null, username: 5, email: ['a'] }, {}],
  [{ username: 'Ada' }, { username: 'Ada' }],
  [null, {}],
  [undefined, {}],
  ['Ada', {}],
  [[{ uid: '7' }], {}],
])('of %o only the known fields count', (value, user) => {
  expect(readUserInfo(value)).toEqual(user);
});
