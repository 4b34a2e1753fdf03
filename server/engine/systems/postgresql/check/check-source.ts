import pg from 'pg';
import { type EngineError, ofNoSide } from '../../../errors.ts';
import type { Finding } from '../../../finding.ts';
import type { SourceUse } from '../../../source.ts';
import type { Table } from '../../../table.ts';
import type { PostgresSettings } from '../card.ts';
import { connect } from '../connect.ts';
import { engineError } from '../errors.ts';
import { namedLogFindings } from '../named-log.ts';
import { grant } from '../rights.ts';
import { filterFindings } from './check-filters.ts';
import { databaseFindings, publishingFindings } from './check-publishing.ts';
import { sequenceFindings } from './check-sequences.ts';
import { logFindings, readServerFacts, type ServerFacts, settingFindings } from './check-server.ts';
import { tableFindings } from './check-tables.ts';
import { versionFinding } from './check-version.ts';

/**
 * What prevents a job from reading these tables.
 * @throws EngineError when the connection is lost during the check
 */
export async function checkSource(
  settings: PostgresSettings,
  signal: AbortSignal,
  tables: readonly Table[],
  { filters = new Map(), follows = true, structure = false }: SourceUse = {},
): Promise<Finding[]> {
  return await withSession(settings, signal, async (session, facts) => [
    versionFinding(facts, 'source'),
    ...settingFindings(facts, processId(session)),
    ...(follows ? await logAccessFindings(session, facts, settings, signal, tables) : []),
    ...(await tableFindings(session, facts.user, tables, follows)),
    ...(structure ? await sequenceFindings(session, facts.user, tables) : []),
    ...(await filterFindings(session, tables, filters)),
  ]);
}

/** What prevents a job from reading the log of these tables, apart from their own structure. */
async function logAccessFindings(
  session: pg.ClientBase,
  facts: ServerFacts,
  settings: PostgresSettings,
  signal: AbortSignal,
  tables: readonly Table[],
): Promise<Finding[]> {
  return [
    ...logFindings(facts, settings),
    ...(await namedLogFindings(session, settings, facts.version, tables)),
    ...(settings.publication === '' ? await publishingFindings(session, facts, tables) : []),
    ...(await replicationFindings(settings, signal, facts)),
  ];
}

/**
 * Whether a data source can be reached, and what its user is allowed to do.
 * @throws EngineError when the connection is lost during the test
 */
export async function testConnection(settings: PostgresSettings, signal: AbortSignal): Promise<Finding[]> {
  const work = async (session: pg.Client, facts: ServerFacts): Promise<Finding[]> => [
    versionFinding(facts, 'source'),
    ...settingFindings(facts, processId(session)),
    // A data source used only as a target needs none of these.
    ...[
      ...logFindings(facts, settings),
      ...(settings.publication === '' ? databaseFindings(facts) : []),
      ...(await replicationFindings(settings, signal, facts)),
    ].map(asWarning),
  ];
  return await withSession(settings, signal, work, ofNoSide);
}

async function withSession(
  settings: PostgresSettings,
  signal: AbortSignal,
  work: (session: pg.Client, facts: ServerFacts) => Promise<Finding[]>,
  toldAs = (error: EngineError) => error,
): Promise<Finding[]> {
  let session: pg.Client;
  try {
    session = await connect(settings, { side: 'source', signal });
  } catch (error) {
    return [connectivityFault(toldAs(engineError(error, { side: 'source' })))];
  }
  try {
    const findings = await work(session, await readServerFacts(session));
    const connected: Finding = {
      type: 'CONNECTIVITY',
      side: 'source',
      result: 'passed',
      sentence: `The server answers ${settings.user} in the database ${settings.database}.`,
    };
    return [connected, ...findings];
  } catch (error) {
    throw engineError(error, { side: 'source' });
  } finally {
    await session.end();
  }
}

function connectivityFault(error: EngineError): Finding {
  return { type: 'CONNECTIVITY', side: 'source', result: 'fault', sentence: `${error.message} ${error.hint}` };
}

/** Whether the user is allowed to stream the log. It is tried, since managed servers allow it in ways of their own. */
async function replicationFindings(
  settings: PostgresSettings,
  signal: AbortSignal,
  { user }: ServerFacts,
): Promise<Finding[]> {
  try {
    const session = await connect(settings, { side: 'source', signal, replication: true });
    await session.end();
    return [];
  } catch (error) {
    const { code, message, hint } = engineError(error, { side: 'source' });
    const fault: Finding = {
      type: 'BINLOG_EXISTENCE',
      side: 'source',
      result: 'fault',
      sentence: `${message} ${hint}`,
    };
    if (code === 'PRIVILEGE_MISSING')
      return [
        {
          ...fault,
          sentence: `${user} is not allowed to stream the server's log.`,
          sql: grant('replication', { role: pg.escapeIdentifier(user) }),
        },
      ];
    return [fault];
  }
}

function asWarning(finding: Finding): Finding {
  return finding.result === 'fault' ? { ...finding, result: 'warning' } : finding;
}

/** As sent when the connection was opened; behind a pooler, statements run in another session. */
function processId(session: pg.Client): number | null {
  return 'processID' in session && typeof session.processID === 'number' ? session.processID : null;
}
