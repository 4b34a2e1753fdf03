import { z } from 'zod';
import type { DataSource } from '../../client/contract/jobs/data-sources.ts';
import { accountOf } from '../console/account/accounts.ts';
import { addressOf, userOf } from './data-source-address.ts';
import { type DataSourceRow, storedSecrets } from './data-sources.ts';
import { openDate } from './open-date.ts';
import type { JobServices } from './services.ts';

const useRow = z.object({
  source_id: z.number(),
  target_id: z.number(),
  name: z.string(),
  description: z.string(),
});

/** A data source of an account, without its secrets. */
export async function presentDataSource(services: JobServices, uid: string, row: DataSourceRow): Promise<DataSource> {
  const [source] = await presentDataSources(services, uid, [row]);
  if (!source) throw new Error('A stored data source could not be shown.');
  return source;
}

/** Data sources of an account, without their secrets. */
export async function presentDataSources(
  services: JobServices,
  uid: string,
  rows: readonly DataSourceRow[],
): Promise<DataSource[]> {
  const { database, jobs } = services;
  const account = await accountOf(database, uid);
  const uses = await database.all(
    useRow,
    'SELECT source_id, target_id, name, description FROM data_job WHERE uid = $1',
    [uid],
  );
  return rows.map((row) => {
    const address = addressOf(row.settings);
    const secrets = storedSecrets(services, row);
    return {
      id: row.id,
      instanceId: row.instance_id,
      instanceDesc: row.description,
      dataSourceType: jobs.cards.find(({ family }) => family === row.family)?.name ?? row.family,
      family: row.family,
      deployType: row.labels.deployType,
      region: row.labels.region,
      hostType: row.labels.hostType,
      privateHost: row.labels.hostType === 'PRIVATE' ? address : '',
      publicHost: row.labels.hostType === 'PUBLIC' ? address : '',
      accountName: userOf(row.settings),
      securityType: row.labels.securityType,
      version: row.labels.version,
      consoleJobId: 0,
      consoleTaskState: 'SUCCESS',
      lifeCycleState: 'CREATED',
      uid,
      owner: account?.username ?? '',
      gmtCreated: openDate(row.created_at),
      settings: row.settings,
      secretsSet: secrets.set,
      secretsFilled: secrets.filled,
      tested: row.tested,
      usedBy: uses
        .filter((use) => use.source_id === row.id || use.target_id === row.id)
        .map(({ name, description }) => description || name),
    };
  });
}
