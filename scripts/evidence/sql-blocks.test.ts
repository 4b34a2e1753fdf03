import { expect, test } from 'vitest';
import { sqlBlocks } from './sql-blocks.ts';

test('the blocks that are marked as run, with their roles, also in tabs; no others', () => {
  const markdown = [
    '```sql title="run this yourself"',
    'SELECT 1;',
    '```',
    '```sql title="As administrator" run',
    'SELECT 2;',
    '```',
    ':::tab[PostgreSQL]',
    '```sql run=sync_user {1}',
    'SELECT 3;',
    '',
    'SELECT 4;',
    '```',
    ':::',
    '```bash run',
    'psql',
    '```',
  ].join('\n');
  expect(sqlBlocks(markdown)).toEqual([
    { line: 4, sql: 'SELECT 2;' },
    { line: 8, sql: 'SELECT 3;\n\nSELECT 4;', role: 'sync_user' },
  ]);
});
