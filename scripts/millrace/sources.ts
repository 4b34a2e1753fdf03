import { z } from 'zod';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { printTable } from '../operator/open-console.ts';
import { type ApiClient, exitCodes } from './api-client.ts';
import { findNamed } from './find-named.ts';
import { printFindings } from './findings.ts';

const source = z.object({
  id: z.number(),
  instanceId: z.string(),
  instanceDesc: z.string(),
  dataSourceType: z.string(),
  privateHost: z.string(),
  publicHost: z.string(),
  tested: z.object({ success: z.boolean(), sentence: z.string() }).nullable(),
  usedBy: z.array(z.string()),
});

async function listSources(client: ApiClient) {
  return z.array(source).parse(await client.call(jobCalls.listDataSources, {}));
}

/** The number of the data source with this number, name or description. */
async function findSource(client: ApiClient, wanted: string): Promise<number> {
  const { id } = await findNamed(
    'data source',
    wanted,
    () => listSources(client),
    (one) => [String(one.id), one.instanceId, one.instanceDesc],
  );
  return id;
}

/** Prints one line per data source. @returns the exit code */
export async function printSources(client: ApiClient): Promise<number> {
  printTable(
    (await listSources(client)).map((one) => ({
      id: one.id,
      name: one.instanceId,
      description: one.instanceDesc,
      type: one.dataSourceType,
      address: one.privateHost || one.publicHost,
      jobs: one.usedBy.length,
      'last test': one.tested?.sentence ?? '',
    })),
  );
  return exitCodes.done;
}

/** Connects to a data source, and prints what was found. @returns the exit code */
export async function testSource(client: ApiClient, wanted: string): Promise<number> {
  const dataSourceId = await findSource(client, wanted);
  return printFindings(await client.call(jobCalls.testDataSource, { clusterId: 1, dataSourceId, hostType: 'PRIVATE' }));
}

/** Deletes a data source that no job uses. @returns the exit code */
export async function deleteSource(client: ApiClient, wanted: string): Promise<number> {
  await client.call(jobCalls.deleteDataSource, { dataSourceId: await findSource(client, wanted) });
  return exitCodes.done;
}
