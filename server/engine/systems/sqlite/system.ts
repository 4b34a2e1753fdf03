import type { Finding } from '../../finding.ts';
import type { System } from '../system.ts';
import { connectionSettings, sqliteCard } from './card.ts';
import { encoding } from './check-source.ts';
import { Connection, realSurroundings } from './connect.ts';
import { openSqliteSink } from './sink.ts';
import { openSqliteSource } from './source.ts';
import { schema } from './tables.ts';

export const sqlite: System = {
  card: sqliteCard,
  test,
  databases: async (settings) => [{ name: connectionSettings.parse(settings).file, schemas: [schema] }],
  openSource: (settings, signal) => openSqliteSource(settings, signal),
  openSink: (settings, signal) => openSqliteSink(settings, signal),
};

/** Opens the file. @throws EngineError FILE_MISSING if it does not exist yet; as a target, it would be created */
async function test(settings: unknown): Promise<Finding[]> {
  const connection = new Connection(settings, 'source', new AbortController().signal, realSurroundings);
  try {
    return await connection.transaction('read', (session) => [
      { type: 'CONNECTIVITY', side: 'source', result: 'passed', sentence: 'The file is a SQLite database.' },
      {
        type: 'VERSION',
        side: 'source',
        result: 'passed',
        sentence: `SQLite ${session.row('SELECT sqlite_version()')?.[0]}.`,
      },
      encoding(session, 'source'),
    ]);
  } finally {
    await connection.close();
  }
}
