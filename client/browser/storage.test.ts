import { expect, test, vi } from 'vitest';
import { area } from './storage.ts';

test('blocked storage causes one warning, and values last in memory', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const blocked = area(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  expect(blocked.get('theme')).toBe(null);
  blocked.set('theme', 'dark');
  expect(blocked.get('theme')).toBe('dark');
  blocked.set('theme', null);
  expect(blocked.get('theme')).toBe(null);
  expect(warned).toHaveBeenCalledTimes(1);
});
