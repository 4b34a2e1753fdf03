import { expect, test } from 'vitest';
import { chooseCoding } from './accept-encoding.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.2', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['identity, br;q=0.5', 'identity'],
  ['identity;q=0, *', 'br'],
  ['gzip;q=0.5, br;q=0.5, identity;q=0.5', 'br'],
  ['br;q=x', 'identity'],
  ['deflate', 'identity'],
  [', ,;q', 'identity'],
])('%s gets %s', (header, coding) => expect(chooseCoding(header)).toBe(coding));
