import { z } from 'zod';
import { findOwner } from '../../../console/account/owner.ts';
import { listWorkers } from '../../workers.ts';
import { openCall } from '../define-job-call.ts';

/** An installation is one cluster. */
const clusterId = 1;

const cluster = z
  .object({
    id: z.int(),
    clusterName: z.string(),
    region: z.string(),
    cloudOrIdcName: z.string(),
    clusterDesc: z.string(),
    workerCount: z.int(),
    runningCount: z.int(),
    abnormalCount: z.int(),
    ownerName: z.string(),
  })
  .meta({ id: 'Cluster' });

export const listClusters = openCall(
  'cluster/listclusters',
  { summary: 'The cluster, which is this installation.', body: z.object({}), data: z.array(cluster) },
  async (_body, _caller, services) => {
    const workers = await listWorkers(services);
    const count = (state: string) => workers.filter(({ workerState }) => workerState === state).length;
    return [
      {
        id: clusterId,
        clusterName: services.brand.name,
        region: '',
        cloudOrIdcName: '',
        clusterDesc: 'This installation',
        workerCount: workers.length,
        runningCount: count('ONLINE'),
        abnormalCount: count('ABNORMAL'),
        ownerName: (await findOwner(services.database))?.username ?? '',
      },
    ];
  },
);
