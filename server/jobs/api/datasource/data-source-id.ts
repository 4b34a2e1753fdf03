import { z } from 'zod';
import type { Question } from '../../../engine/protocol.ts';
import { dataSourceOf } from '../../data-sources.ts';
import { hostType, id } from '../../request-fields.ts';
import type { JobServices } from '../../services.ts';
import { sideOf } from '../../spec.ts';

export const dataSourceIdBody = z.object({ dataSourceId: id });
export const exampleDataSourceId = { dataSourceId: 1 };

/** Names a data source in calls that connect. */
export const connectFields = { clusterId: id, dataSourceId: id, hostType };
export const exampleConnect = { clusterId: 1, dataSourceId: 1, hostType: 'PRIVATE' };

type Side = Extract<Question, { kind: 'test' }>['side'];

/** The caller's data source in the form that a child process gets. */
export async function askedSide(services: JobServices, uid: string, dataSourceId: number): Promise<Side> {
  return sideOf(services, await dataSourceOf(services.database, uid, dataSourceId));
}
