import type pg from 'pg';
import type { Table } from '../../table.ts';
import { readTables } from './catalog.ts';
import type { Relation } from './pgoutput.ts';

/** How a table's logged cells become its rows. */
export interface Shape {
  table: Table;
  /** The table's column for each logged column. */
  places: readonly number[];
  /** Whether both have the same columns at the same positions. */
  isSame: boolean;
}

type Ask = <T>(work: (session: pg.ClientBase) => Promise<T>) => Promise<T>;

/** A stream's tables in the structures that the log describes. */
export class Shapes {
  readonly #ask: Ask;
  readonly #tables: Map<string, Table>;
  /** By OID. */
  readonly #shapes = new Map<number, Shape>();
  /** Type names by OID and modifier. */
  readonly #types = new Map<string, string>();

  /** @param ask lends a session for questions about the catalogue */
  constructor(tables: readonly Table[], ask: Ask) {
    this.#tables = new Map(tables.map((table) => [table.id, table]));
    this.#ask = ask;
  }

  /**
   * Takes in how the log describes a table from here on.
   * @returns the table if its version differs from the one before
   * @throws EngineError
   */
  async take(relation: Relation): Promise<Table | undefined> {
    const id = String(relation.oid);
    const known = this.#tables.get(id);
    await this.#learnTypes(relation);
    if (known && this.#agrees(known, relation)) {
      this.#remember(relation, known);
      return undefined;
    }
    const [current] = await this.#ask((session) => readTables(session, [id]));
    const table = current && this.#agrees(current, relation) ? current : this.#fromLog(relation, known);
    this.#tables.set(id, table);
    this.#remember(relation, table);
    return known && table;
  }

  of(relation: Relation): Shape {
    const shape = this.#shapes.get(relation.oid);
    if (!shape) throw new Error(`The log contained a row of ${relation.schema}.${relation.name} before its table.`);
    return shape;
  }

  #remember(relation: Relation, table: Table): void {
    const places = relation.columns.map(({ name }) => table.columns.findIndex((column) => column.name === name));
    const isSame = places.length === table.columns.length && places.every((place, column) => place === column);
    this.#shapes.set(relation.oid, { table, places, isSame });
  }

  async #learnTypes({ columns }: Relation): Promise<void> {
    const unknown = columns.filter((column) => !this.#types.has(typeKey(column)));
    if (unknown.length === 0) return;
    const { rows } = await this.#ask((session) =>
      session.query<[string, string, string]>({
        text: 'SELECT oid, modifier, format_type(oid, modifier) FROM unnest($1::oid[], $2::int4[]) AS t (oid, modifier)',
        values: [unknown.map(({ typeOid }) => typeOid), unknown.map(({ typeModifier }) => typeModifier)],
        rowMode: 'array',
      }),
    );
    for (const [oid, modifier, name] of rows) this.#types.set(`${oid} ${modifier}`, name);
  }

  #type(column: { typeOid: number; typeModifier: number } | undefined): string {
    return (column && this.#types.get(typeKey(column))) ?? '';
  }

  /** Whether logged rows are rows of this table version. */
  #agrees(table: Table, { schema, name, identity, columns }: Relation): boolean {
    const written = table.columns.filter(({ generated }) => !generated);
    return (
      table.schema === schema &&
      table.name === name &&
      written.length === columns.length &&
      columns.every((column, place) => {
        const own = written[place];
        return own?.name === column.name && own.type === this.#type(column);
      }) &&
      (identity === 'f' || sameKey(table, columns))
    );
  }

  /** The catalogue is already newer: what it no longer knows is taken from the previous version. */
  #fromLog({ oid, schema, name, identity, columns }: Relation, known: Table | undefined): Table {
    const before = new Map(known?.columns.map((column) => [column.name, column]));
    const logged = columns.flatMap((column) => (column.isKey ? [column.name] : []));
    // The log says which columns form the key, but not in which order.
    const keyNames =
      known && (identity === 'f' || sameKey(known, columns))
        ? known.key.map((place) => known.columns[place]?.name ?? '')
        : logged;
    const key = keyNames.map((keyName) => columns.findIndex((column) => column.name === keyName));
    const ordered = keyNames.every((keyName) => {
      const type = before.get(keyName)?.type;
      return type !== undefined && type === this.#type(columns.find(({ name: own }) => own === keyName));
    });
    return {
      id: String(oid),
      schema,
      name,
      columns: columns.map((column) => ({
        name: column.name,
        type: this.#type(column),
        nullable: before.get(column.name)?.nullable ?? true,
        generated: false,
      })),
      key: key.includes(-1) ? [] : key,
      exactKey: false,
      ordered: known?.ordered === true && ordered,
    };
  }
}

function sameKey(table: Table, columns: Relation['columns']): boolean {
  const logged = columns.flatMap(({ name, isKey }) => (isKey ? [name] : []));
  const own = new Set(table.key.map((place) => table.columns[place]?.name));
  return logged.length === own.size && logged.every((name) => own.has(name));
}

function typeKey({ typeOid, typeModifier }: { typeOid: number; typeModifier: number }): string {
  return `${typeOid} ${typeModifier}`;
}
