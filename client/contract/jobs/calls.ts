const B = '/cloudcanal/console/api/v1/inner';
/** Every open API call is below it; the proxy forwards it unchanged. */
export const openApi = '/cloudcanal/console/api/v1/openapi';

/** Job calls that the console makes: those of the open API, and additional ones. All are POST except `jobEvents`. */
export const jobCalls = {
  /** {} → Job[] */
  listJobs: `${openApi}/datajob/list`,
  /** { jobId } → Job */
  queryJob: `${openApi}/datajob/queryjob`,
  /** NewJob → job id as text */
  createJob: `${openApi}/datajob/create`,
  /** { jobId } → null; the same up to `detachJob`. */
  startJob: `${openApi}/datajob/start`,
  stopJob: `${openApi}/datajob/stop`,
  restartJob: `${openApi}/datajob/restart`,
  /** { jobId } → null; the job is gone once everything it kept on both sides is removed. */
  deleteJob: `${openApi}/datajob/delete`,
  activateJob: `${openApi}/datajob/activefsm`,
  attachJob: `${openApi}/datajob/attachincretask`,
  detachJob: `${openApi}/datajob/detachincretask`,
  /** { jobId, dataJobDesc } → null */
  renameJob: `${openApi}/datajob/updatedesc`,
  /** { jobId, autoStart } → "success" */
  replayJob: `${openApi}/datajob/replay`,
  /** NewJob → Finding[] */
  precheck: `${openApi}/datajob/precheckdetail`,
  /** { consoleJobId } → ConsoleJob */
  queryConsoleJob: `${openApi}/consolejob/queryconsolejob`,
  /** { consoleJobId, consoleTaskId } → null */
  retryTask: `${openApi}/consolejob/retrytask`,
  /** {} → DataSource[] */
  listDataSources: `${openApi}/datasource/listds`,
  /** NewDataSource as JSON → id as text */
  addDataSource: `${openApi}/datasource/addds`,
  /** { dataSourceId, updateConfigs } → null */
  changeDataSource: `${openApi}/datasource/upsertdsconfig`,
  /** { dataSourceId } → null */
  deleteDataSource: `${openApi}/datasource/deleteds`,
  /** DataSourceOf → Finding[] */
  testDataSource: `${openApi}/datasource/connectds`,
  /** DataSourceOf → CatalogDatabase[] */
  listDatabases: `${openApi}/datasource/listdbs`,
  /** DataSourceOf & { dbName, schema } → CatalogTable[] */
  listTables: `${openApi}/datasource/listtables`,
  /** DataSourceOf & { schemas: [{ db, schema, tables: [name] }] } → CatalogColumns */
  listColumns: `${openApi}/datasource/listcols`,
  /** { jobId, span } → JobDetail */
  jobDetail: `${B}/job/detail`,
  /** NewJob → JobPlan */
  planJob: `${B}/job/plan`,
  /** GET, `?jobId=` or none: server-sent events, see LiveEvent. */
  jobEvents: `${B}/job/events`,
  /** { jobId, table } → JobTable; the same for the next ones. `table` is JobTable.id. */
  pauseTable: `${B}/job/table/pause`,
  resumeTable: `${B}/job/table/resume`,
  resyncTable: `${B}/job/table/resync`,
  verifyTable: `${B}/job/table/verify`,
  /** { jobId, table, row: ParkedRow.number or null for all } → JobTable */
  retryTable: `${B}/job/table/retry`,
  /** { jobId, table, after, limit } → ParkedRows; `after` is `next` of the previous page. */
  parkedRows: `${B}/job/table/parked`,
  /** none → { jobId, sourceId, targetId } */
  createPractice: `${B}/practice/create`,
  /** { jobId } → null */
  deletePractice: `${B}/practice/delete`,
  /** none → Family[] */
  listFamilies: `${B}/job/families`,
  /** NewApiKey → CreatedApiKey */
  createApiKey: `${B}/apikey/create`,
  /** none → ApiKey[] */
  listApiKeys: `${B}/apikey/list`,
  /** { id } → null */
  revokeApiKey: `${B}/apikey/revoke`,
} as const;

export type JobCall = (typeof jobCalls)[keyof typeof jobCalls];
