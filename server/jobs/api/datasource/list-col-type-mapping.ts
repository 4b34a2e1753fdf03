import { z } from 'zod';
import { catalogAnswer } from '../../answers.ts';
import { dataSourceOf } from '../../data-sources.ts';
import { JobError } from '../../errors.ts';
import { id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';
import { askedSide } from './data-source-id.ts';

const body = z.object({ srcDsId: id, dstDsId: id });

export const listColumnTypeMapping = openCall(
  'datasource/listcoltypemapping',
  {
    summary: 'The target type that each source type becomes.',
    body,
    example: { srcDsId: 1, dstDsId: 2 },
    data: z.record(z.string(), z.string()),
  },
  async ({ srcDsId, dstDsId }, { uid }, services) => {
    const source = await dataSourceOf(services.database, uid, srcDsId);
    const target = await dataSourceOf(services.database, uid, dstDsId);
    if (source.family !== target.family)
      throw new JobError('NOT_OFFERED', 'Both sides must be the same kind of system.');
    const side = await askedSide(services, uid, srcDsId);
    const catalog = await services.jobs.ask(uid, { kind: 'catalog', side, schemas: [] }, catalogAnswer);
    // Within one family, every type stays the same at the target.
    const types = new Set(catalog.flatMap(({ columns }) => columns.map(({ type }) => type.replace(/\(.*?\)/, ''))));
    return Object.fromEntries([...types].sort().map((type) => [type, type]));
  },
);
