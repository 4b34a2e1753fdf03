import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { missingDefault } from './default-export.ts';

const file = resolve(import.meta.dirname, '../../pages/x/+Page.tsx');

test.each([
  'export default function Page() { return <p>Text</p>; }',
  'const Page = () => <p>Text</p>; export default Page;',
  'function Page() { return <p>Text</p>; } export { Page as default };',
  "export { default } from './Other.tsx';",
])('accepts %s', (code) => {
  expect(missingDefault(file, code)).toBeUndefined();
});

test.each(['export function Page() { return <p>Text</p>; }', '', '// export default'])(
  'refuses "%s" by name',
  (code) => {
    expect(missingDefault(file, code)).toBe('The page component at pages/x/+Page.tsx has no default export.');
  },
);
