import { z } from 'zod';
import { dataSourceSchema } from '../../../../client/contract/jobs/data-sources.ts';
import { hostTypes, lifeCycles } from '../../../../client/contract/jobs/jobs.ts';
import { dataSourcesToShow } from '../../data-sources.ts';
import { presentDataSources } from '../../present-data-source.ts';
import { id, optionalText, wordFilter } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';
import { cardOf } from './card-of.ts';

const body = z.object({
  dataSourceId: id.nullish(),
  deployType: optionalText,
  hostType: wordFilter(hostTypes),
  lifeCycleState: wordFilter(lifeCycles),
  type: optionalText,
});

export const listDataSources = openCall(
  'datasource/listds',
  { summary: 'Data sources of the account that match a filter.', body, data: z.array(dataSourceSchema) },
  async ({ dataSourceId, deployType, hostType, lifeCycleState, type }, { uid }, services) => {
    const rows = await dataSourcesToShow(services, 'uid = $1', [uid]);
    const all = await presentDataSources(services, uid, rows);
    const family = type === '' ? undefined : cardOf(services, type).family;
    const fits = (wanted: string | null | undefined, value: string) => !wanted || wanted === value;
    return all.filter(
      (one) =>
        (!dataSourceId || one.id === dataSourceId) &&
        fits(deployType, one.deployType) &&
        fits(hostType, one.hostType) &&
        fits(lifeCycleState, one.lifeCycleState) &&
        fits(family, one.family),
    );
  },
);
