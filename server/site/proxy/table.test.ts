import { expect, test } from 'vitest';
import { callAt } from './table.ts';

test.each([
  ['/login', 'call'],
  ['/rdp/console/api/v1/user/queryLoginUser', 'call'],
  ['/rdp/console/api/v1/user/queryLoginUser/', 'unknown call'],
  ['/cloudcanal/console/api/v1/inner/x', 'unknown call'],
  ['/rdp', 'none'],
  ['/Login', 'none'],
  ['/why', 'none'],
])('%s is: %s', (path, kind) => expect(callAt(path)).toBe(kind));
