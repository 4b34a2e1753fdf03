import { expect, test } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { openTestConsole } from './console.ts';
import { LogCanaries } from './log-canaries.ts';

test('secrets in requests and responses are found, and codes only as whole words', () => {
  const canaries = new LogCanaries();
  canaries.noteAsked({ password: 'correct horse', verifyCode: '123456', links: 'not a secret' });
  canaries.noteAnswered({ success: true, data: { token: 'a'.repeat(43), code: 'not a secret' } });
  expect(canaries.in('{"msg":"correct horse","other":"not a secret"}')).toEqual(['password']);
  expect(canaries.in('{"time":1612345600,"ms":0.123456}')).toEqual([]);
  expect(canaries.in('{"msg":"the code is 123456"}')).toEqual(['verifyCode']);
  expect(canaries.in(`{"token":"${'a'.repeat(43)}"}`)).toEqual(['token']);
});

test('a test whose console logs a secret fails', async () => {
  const backend = await openTestConsole();
  await backend.post(calls.login, { account: 'ada@site.example', loginType: 'VERIFY', verifyCode: '123456' });
  backend.services.log.warn({ who: 'ada@site.example' }, 'a slip');
  await expect(backend.close()).rejects.toThrow('account');
});
