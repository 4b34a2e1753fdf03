import type { System } from '../system.ts';
import { postgresCard, postgresSettings } from './card.ts';
import { testConnection } from './check/check-source.ts';
import { readDatabases } from './databases.ts';
import { openPostgresSink } from './sink.ts';
import { PostgresSource } from './source.ts';

/** How long a question outside a job may take, in milliseconds. */
const longestQuestion = 60_000;

export const postgresSystem: System = {
  card: postgresCard,
  test: (settings) => testConnection(postgresSettings.parse(settings), AbortSignal.timeout(longestQuestion)),
  databases: (settings) => readDatabases(postgresSettings.parse(settings), AbortSignal.timeout(longestQuestion)),
  openSource: (settings, signal) => new PostgresSource(postgresSettings.parse(settings), signal),
  openSink: (settings, signal) => openPostgresSink(postgresSettings.parse(settings), signal),
};
