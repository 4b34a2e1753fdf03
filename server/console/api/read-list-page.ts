import { type ZodType, z } from 'zod';
import type { ListPage } from '../../../client/contract/console/list-page.ts';
import type { Queries, SqlValue } from '../../storage/database.ts';

const countRow = z.object({ n: z.number() });

/** The parts of a query; only `where` has parameters. */
interface List<Row> {
  row: ZodType<Row>;
  columns: string;
  from: string;
  where: string;
  parameters: readonly SqlValue[];
  orderBy: string;
}

/** The rows of one page of a list, and the total number. @param wanted `page` counts from 1 */
export async function readListPage<Row>(
  queries: Queries,
  { row, columns, from, where, parameters, orderBy }: List<Row>,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<ListPage<Row>> {
  const count = await queries.one(countRow, `SELECT count(*) AS n FROM ${from} WHERE ${where}`, parameters);
  const [limit, offset] = [parameters.length + 1, parameters.length + 2];
  const items = await queries.all(
    row,
    `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${orderBy} LIMIT $${limit} OFFSET $${offset}`,
    [...parameters, pageSize, (page - 1) * pageSize],
  );
  return { total: count?.n ?? 0, items };
}
