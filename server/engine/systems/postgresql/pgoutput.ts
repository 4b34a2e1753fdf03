import { type Cell, UNCHANGED } from '../../change.ts';
import { EngineError } from '../../errors.ts';
import { largeCellBytes } from './cells.ts';

/** A column as the log describes it. */
export interface LoggedColumn {
  name: string;
  /** Part of the replica identity; true for every column if that is FULL. */
  isKey: boolean;
  typeOid: number;
  typeModifier: number;
}

/** A table as the log describes it, before its next row and after every change to its structure. */
export interface Relation {
  oid: number;
  schema: string;
  name: string;
  /** Replica identity: default, nothing, full, index. */
  identity: 'd' | 'n' | 'f' | 'i';
  columns: readonly LoggedColumn[];
}

/** Cells in the order of a relation's columns. */
export type Tuple = Cell[];

/** A message of the pgoutput plugin, protocol version 1. */
export type LogMessage =
  | { kind: 'begin'; xid: number; committedAt: number }
  | { kind: 'commit'; end: bigint }
  | { kind: 'relation'; relation: Relation }
  | { kind: 'insert'; relation: Relation; after: Tuple }
  | { kind: 'update'; relation: Relation; before: Tuple | null; isWhole: boolean; after: Tuple }
  | { kind: 'delete'; relation: Relation; before: Tuple; isWhole: boolean }
  | { kind: 'truncate'; relations: Relation[] };

/** Milliseconds from 1970 to 2000, PostgreSQL's epoch. */
const epochOfPostgres = 946_684_800_000;

/** Reads pgoutput messages and remembers the tables that they refer to. */
export class PgOutput {
  readonly #relations = new Map<number, Relation>();
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  /** @returns undefined for messages that rows do not depend on: origins, types, logical messages */
  read(bytes: Buffer): LogMessage | undefined {
    this.#bytes = bytes;
    this.#at = 1;
    switch (String.fromCharCode(bytes[0] ?? 0)) {
      case 'B':
        return this.#begin();
      case 'C':
        return this.#commit();
      case 'R':
        return this.#relation();
      case 'I':
        return this.#insert();
      case 'U':
        return this.#update();
      case 'D':
        return this.#delete();
      case 'T':
        return this.#truncate();
      case 'O':
      case 'Y':
      case 'M':
        return undefined;
      default:
        throw protocolError();
    }
  }

  #begin(): LogMessage {
    this.#at += 8; // where the commit will be, which its own message contains
    const committedAt = epochOfPostgres + Math.floor(Number(this.#int64()) / 1000);
    return { kind: 'begin', committedAt, xid: this.#uint32() };
  }

  #commit(): LogMessage {
    this.#at += 1 + 8; // flags, and where the commit record begins
    return { kind: 'commit', end: this.#uint64() };
  }

  #relation(): LogMessage {
    const oid = this.#uint32();
    const schema = this.#name() || 'pg_catalog';
    const name = this.#name();
    const letter = String.fromCharCode(this.#uint8());
    const identity = (['d', 'n', 'f', 'i'] as const).find((known) => known === letter);
    if (!identity) throw protocolError();
    const columns: LoggedColumn[] = [];
    for (let left = this.#uint16(); left > 0; left--) {
      const isKey = (this.#uint8() & 1) === 1;
      columns.push({ isKey, name: this.#name(), typeOid: this.#uint32(), typeModifier: this.#int32() });
    }
    const relation: Relation = { oid, schema, name, identity, columns };
    this.#relations.set(oid, relation);
    return { kind: 'relation', relation };
  }

  #insert(): LogMessage {
    const relation = this.#known();
    this.#at += 1;
    return { kind: 'insert', relation, after: this.#tuple(relation) };
  }

  #update(): LogMessage {
    const relation = this.#known();
    const kind = String.fromCharCode(this.#uint8());
    if (kind === 'N') return { kind: 'update', relation, before: null, isWhole: false, after: this.#tuple(relation) };
    const before = this.#tuple(relation);
    this.#at += 1;
    return { kind: 'update', relation, before, isWhole: kind === 'O', after: this.#tuple(relation) };
  }

  #delete(): LogMessage {
    const relation = this.#known();
    const isWhole = String.fromCharCode(this.#uint8()) === 'O';
    return { kind: 'delete', relation, before: this.#tuple(relation), isWhole };
  }

  #truncate(): LogMessage {
    const count = this.#uint32();
    this.#at += 1; // CASCADE and RESTART IDENTITY: the list names every table anyway
    return { kind: 'truncate', relations: Array.from({ length: count }, () => this.#known()) };
  }

  #known(): Relation {
    const relation = this.#relations.get(this.#uint32());
    if (!relation) throw protocolError();
    return relation;
  }

  #tuple(relation: Relation): Tuple {
    const cells = new Array<Cell>(this.#uint16());
    if (cells.length !== relation.columns.length) throw protocolError();
    for (let column = 0; column < cells.length; column++) cells[column] = this.#cell();
    return cells;
  }

  #cell(): Cell {
    const kind = this.#uint8();
    if (kind === 0x6e) return null; // n
    if (kind === 0x75) return UNCHANGED; // u
    if (kind !== 0x74) throw protocolError(); // t
    const length = this.#uint32();
    const start = this.#at;
    this.#at += length;
    // A copy, since pg writes later messages over the bytes of this one.
    if (length >= largeCellBytes) return Buffer.from(this.#bytes.subarray(start, this.#at));
    return this.#bytes.toString('utf8', start, this.#at);
  }

  #uint8(): number {
    return this.#bytes.readUInt8(this.#at++);
  }

  #uint16(): number {
    this.#at += 2;
    return this.#bytes.readUInt16BE(this.#at - 2);
  }

  #uint32(): number {
    this.#at += 4;
    return this.#bytes.readUInt32BE(this.#at - 4);
  }

  #int32(): number {
    this.#at += 4;
    return this.#bytes.readInt32BE(this.#at - 4);
  }

  #int64(): bigint {
    this.#at += 8;
    return this.#bytes.readBigInt64BE(this.#at - 8);
  }

  #uint64(): bigint {
    this.#at += 8;
    return this.#bytes.readBigUInt64BE(this.#at - 8);
  }

  #name(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end === -1) throw protocolError();
    const name = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return name;
  }
}

function protocolError(): EngineError {
  return new EngineError('UNEXPECTED', { side: 'source', subject: 'a message that is not of pgoutput version 1' });
}
