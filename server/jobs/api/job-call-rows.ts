import { apiKeyCalls } from './apikey/api-keys.ts';
import { listClusters } from './cluster/list-clusters.ts';
import { queryConsoleJob } from './consolejob/query-console-job.ts';
import { retryTask } from './consolejob/retry-task.ts';
import { constantCalls } from './constant/constants.ts';
import { activateJob } from './datajob/active-fsm.ts';
import { attachJob } from './datajob/attach-incre-task.ts';
import { createJobCall } from './datajob/create.ts';
import { deleteJob } from './datajob/delete.ts';
import { detachJob } from './datajob/detach-incre-task.ts';
import { listJobs } from './datajob/list.ts';
import { listJobsByPage } from './datajob/list-by-page.ts';
import { listKvConfigsByJobId } from './datajob/list-kv-configs-by-job-id.ts';
import { precheckCalls } from './datajob/precheck.ts';
import { queryJob } from './datajob/query-job.ts';
import { queryJobCreateDetail } from './datajob/query-job-create-detail.ts';
import { queryJobMetric } from './datajob/query-job-metric.ts';
import { queryJobPosition } from './datajob/query-job-position.ts';
import { queryJobSchemaById } from './datajob/query-job-schema-by-id.ts';
import { replayJob } from './datajob/replay.ts';
import { restartJob } from './datajob/restart.ts';
import { startJob } from './datajob/start.ts';
import { stopJob } from './datajob/stop.ts';
import { updateJobDescription } from './datajob/update-desc.ts';
import { updateIncrePos } from './datajob/update-incre-pos.ts';
import { upsertKvConfigs } from './datajob/upsert-kv-configs.ts';
import { addDataSource } from './datasource/add-ds.ts';
import { connectDataSource } from './datasource/connect-ds.ts';
import { deleteDataSource } from './datasource/delete-ds.ts';
import { listColumnTypeMapping } from './datasource/list-col-type-mapping.ts';
import { listColumns } from './datasource/list-cols.ts';
import { listDatabases } from './datasource/list-dbs.ts';
import { listDataSources } from './datasource/list-ds.ts';
import { listTables } from './datasource/list-tables.ts';
import { queryDataSource } from './datasource/query-ds.ts';
import { queryDataSourceConfig } from './datasource/query-ds-config.ts';
import { updateDataSourceDescription } from './datasource/update-data-source-desc.ts';
import { upsertDataSourceConfig } from './datasource/upsert-ds-config.ts';
import type { JobCallRow } from './define-job-call.ts';
import { jobDetail } from './job/detail.ts';
import { listFamilies } from './job/families.ts';
import { parkedRowsCall } from './job/parked-rows.ts';
import { planJob } from './job/plan.ts';
import { tableCalls } from './job/table.ts';
import { practiceCalls } from './practice/practice.ts';
import { schemaCalls } from './schema/schemas.ts';
import { queryUserInfo } from './user/query-user-info.ts';
import { workerCalls } from './worker/workers.ts';

/** Every call for jobs, in the order of the generated document. */
export const jobCallRows: readonly JobCallRow[] = [
  listClusters,
  ...workerCalls,
  queryUserInfo,
  queryConsoleJob,
  retryTask,
  ...schemaCalls,
  ...constantCalls,
  listDataSources,
  queryDataSource,
  addDataSource,
  deleteDataSource,
  connectDataSource,
  listDatabases,
  listTables,
  listColumns,
  listColumnTypeMapping,
  queryDataSourceConfig,
  upsertDataSourceConfig,
  updateDataSourceDescription,
  listJobs,
  listJobsByPage,
  queryJob,
  queryJobSchemaById,
  queryJobCreateDetail,
  queryJobMetric,
  queryJobPosition,
  ...precheckCalls,
  createJobCall,
  startJob,
  stopJob,
  restartJob,
  deleteJob,
  activateJob,
  attachJob,
  detachJob,
  replayJob,
  updateIncrePos,
  updateJobDescription,
  listKvConfigsByJobId,
  upsertKvConfigs,
  jobDetail,
  planJob,
  listFamilies,
  ...tableCalls,
  parkedRowsCall,
  ...practiceCalls,
  ...apiKeyCalls,
];
