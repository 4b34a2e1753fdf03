import pg from 'pg';
import { type JobSpec, type TableSelection, targetColumn } from '../engine/job.ts';
import { differingRows } from './altered-job.ts';
import { postgresSide } from './job-spec.ts';
import { createDatabase, dropSlots } from './postgres.ts';

/** A column as the source's catalogue describes it. */
export interface AlteredColumn {
  name: string;
  type: string;
  generated: boolean;
}

/** The databases of a job whose source is altered. */
export class AlteredDatabases {
  readonly source: pg.Client;
  readonly target: pg.Client;
  readonly sides: Pick<JobSpec, 'source' | 'target'>;
  readonly sourceUrl: string;

  private constructor(source: string, target: string) {
    this.sourceUrl = source;
    this.source = new pg.Client(source);
    this.target = new pg.Client(target);
    this.sides = { source: postgresSide(source), target: postgresSide(target) };
  }

  /** @param structure SQL of the source's tables */
  static async open(server: string, structure: string): Promise<AlteredDatabases> {
    const both = new AlteredDatabases(await createDatabase(server), await createDatabase(server));
    await Promise.all([both.source.connect(), both.target.connect()]);
    await both.source.query(structure);
    return both;
  }

  async close(): Promise<void> {
    await dropSlots(async (sql) => (await this.source.query(sql)).rows);
    await Promise.all([this.source.end(), this.target.end()]);
  }

  async columnsOf(table: string): Promise<AlteredColumn[]> {
    const { rows } = await this.source.query(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attgenerated <> '' AS generated
       FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
      [table],
    );
    return rows;
  }

  /**
   * Tables whose rows differ in the columns that the source has and the target keeps, with rows of them; empty when none
   * differ.
   */
  async difference(
    tables: readonly TableSelection[],
    isKept: (selection: TableSelection, column: AlteredColumn) => boolean,
  ): Promise<string> {
    const found: string[] = [];
    for (const selection of tables) {
      const carried = (await this.columnsOf(selection.name)).filter((column) => isKept(selection, column));
      const names = carried.map(({ name }) => name);
      const met = selection.filter ? `${selection.name} WHERE ${selection.filter}` : selection.name;
      const columns = names.map((name) => targetColumn(selection, name));
      const [one, other] = await Promise.all([
        this.source.query(rowsOf(names, met)),
        // A column that the target is yet to get is not there.
        this.target.query(rowsOf(columns, selection.target.name)).catch(() => ({ rows: [{ row: 'no such column' }] })),
      ]);
      const differing = differingRows(selection.name, textsOf(one), textsOf(other));
      if (differing !== '') found.push(differing);
    }
    return found.join('; ');
  }
}

const rowsOf = (columns: readonly string[], table: string) =>
  `SELECT ROW(${columns.map((name) => `"${name}"`).join(', ')})::text AS row FROM ${table}`;

const textsOf = ({ rows }: { rows: readonly { row: string }[] }) => rows.map(({ row }) => row);
