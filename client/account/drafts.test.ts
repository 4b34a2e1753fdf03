import { beforeEach, expect, test, vi } from 'vitest';
import { keepUser, signOut } from '../stores/user.ts';
import { forgetDrafts, keepDraft, readDraft } from './drafts.ts';

// Without a browser there is no storage: drafts are kept in memory, and one warning is logged.
vi.spyOn(console, 'warn').mockImplementation(() => {});

beforeEach(() => {
  forgetDrafts();
  keepUser({ userInfo: { uid: '1' } });
});

test('a draft is restored form by form until it is sent', () => {
  keepDraft('quote', { links: '5', note: 'two sites' });
  keepDraft('email', { email: 'ada@mail.example' });
  expect(readDraft('quote')).toEqual({ links: '5', note: 'two sites' });
  keepDraft('quote', null);
  expect([readDraft('quote'), readDraft('email')]).toEqual([{}, { email: 'ada@mail.example' }]);
});

test('credentials and payment data are never kept, whatever their field is called', () => {
  const secrets = {
    password: 'x',
    newPassword: 'x',
    verifyCode: '1',
    authCode: '1',
    registerToken: '1',
    clientSecret: '1',
    cardNumber: '4',
  };
  keepDraft('settings', { ...secrets, host: 'db.example', applyCode: 'AC1' });
  expect(readDraft('settings')).toEqual({ host: 'db.example', applyCode: 'AC1' });
  keepDraft('settings', secrets);
  expect(readDraft('settings')).toEqual({});
});

test('only non-empty texts are kept', () => {
  keepDraft('job', { name: 'orders', empty: '', tables: ['a'], live: true, limit: 5, nothing: undefined });
  expect(readDraft('job')).toEqual({ name: 'orders' });
});

test('another user of the browser does not get a draft, and without a user none is kept', () => {
  keepDraft('quote', { links: '5' });
  keepUser({ userInfo: { uid: '2' } });
  expect(readDraft('quote')).toEqual({});
  signOut();
  keepDraft('quote', { links: '6' });
  expect(readDraft('quote')).toEqual({});
  keepUser({ userInfo: { uid: '1' } });
  expect(readDraft('quote')).toEqual({ links: '5' });
});

test('a sign-out forgets the drafts of every form and user', () => {
  keepDraft('quote', { links: '5' });
  keepUser({ userInfo: { uid: '2' } });
  keepDraft('email', { email: 'b@mail.example' });
  forgetDrafts();
  expect(readDraft('email')).toEqual({});
  keepUser({ userInfo: { uid: '1' } });
  expect(readDraft('quote')).toEqual({});
});
