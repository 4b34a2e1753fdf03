import { z } from 'zod';
import { dataSourcesToShow } from '../../data-sources.ts';
import { presentDataSources } from '../../present-data-source.ts';
import { id, optionalText } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';

const body = z.object({
  dataSourceId: id.nullish(),
  deployType: optionalText,
  hostType: optionalText,
  lifeCycleState: optionalText,
  type: optionalText,
});

export const listDataSources = openCall(
  'datasource/listds',
  { summary: 'Data sources of the account that match a filter.', body },
  async ({ dataSourceId, deployType, hostType, lifeCycleState, type }, { uid }, services) => {
    const rows = await dataSourcesToShow(services, 'uid = $1', [uid]);
    const all = await presentDataSources(services, uid, rows);
    const fits = (wanted: string, value: string) => wanted === '' || wanted === value;
    return all.filter(
      (one) =>
        (!dataSourceId || one.id === dataSourceId) &&
        fits(deployType, one.deployType) &&
        fits(hostType, one.hostType) &&
        fits(lifeCycleState, one.lifeCycleState) &&
        fits(type, one.dataSourceType),
    );
  },
);
