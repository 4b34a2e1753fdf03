import { boundTexts, type Message } from './messages.ts';

/** What a job did in one transaction at the target, as far as it was observed. */
export interface WrittenTransaction {
  /** Whether rows were written, not only the mark. */
  hasRows: boolean;
  /** A chunk of a copy, changes with their position, or neither. */
  of: 'chunk' | 'changes' | undefined;
  /** Messages of a source transaction that is not yet completely at the target. */
  slice: number;
  /** Whether it makes a table catch up. */
  isLastChunk: boolean;
  /** Whether it records a row that the target refused. */
  parks: boolean;
}

/** The traffic between a job and one of its servers, as far as it identifies a phase. */
export type Seen =
  | { kind: 'begin' }
  /** The job sends COMMIT. */
  | { kind: 'commit'; transaction: WrittenTransaction }
  /** The server confirms the commit. */
  | { kind: 'committed'; transaction: WrittenTransaction }
  /** A row of the source's log. */
  | { kind: 'row' }
  /** The job tells the source what it may forget, and that is more than before. */
  | { kind: 'acknowledgement' };

const isMark = /\bmillrace\.millrace_/;
const isWrite = /^\s*(?:WITH|INSERT|UPDATE|DELETE|TRUNCATE|COPY)\b/;
const isRowOfLog = /[IUD]/;

/** Follows one connection of a job. */
export class Watcher {
  #isReplication = false;
  /** Texts of prepared statements by their names; the unnamed one is the last. */
  readonly #statements = new Map<string, string>();
  #transaction = newTransaction();
  #committing: WrittenTransaction | undefined;
  #acknowledged: bigint | undefined;

  look(from: 'job' | 'server', message: Message): Seen | undefined {
    return from === 'job' ? this.#asked(message) : this.#answered(message);
  }

  #asked({ kind, body }: Message): Seen | undefined {
    switch (kind) {
      case '':
        this.#isReplication = body.includes('replication\0');
        return undefined;
      case 'Q':
        return this.#stated(textAt(body, 0));
      case 'P': {
        const name = textAt(body, 0);
        this.#statements.set(name, textAt(body, Buffer.byteLength(name) + 1));
        return undefined;
      }
      case 'B': {
        const portal = textAt(body, 0);
        const text = this.#statements.get(textAt(body, Buffer.byteLength(portal) + 1)) ?? '';
        if (text.startsWith('WITH held AS')) this.#marked(text, body);
        return this.#stated(text);
      }
      case 'd':
        return this.#isReplication && body[0] === 0x72 ? this.#told(body.readBigUInt64BE(9)) : undefined;
      default:
        return undefined;
    }
  }

  #stated(text: string): Seen | undefined {
    if (text.startsWith('BEGIN')) {
      this.#transaction = newTransaction();
      return { kind: 'begin' };
    }
    if (text === 'COMMIT') {
      this.#committing = this.#transaction;
      return { kind: 'commit', transaction: this.#transaction };
    }
    if (text.startsWith('INSERT INTO millrace.millrace_parked')) this.#transaction.parks = true;
    if (isWrite.test(text) && !isMark.test(text)) this.#transaction.hasRows = true;
    return undefined;
  }

  /** The mark's statement, see engine/systems/postgresql/mark.ts. */
  #marked(text: string, bind: Buffer): void {
    const [, , , tables, , position, slice] = boundTexts(bind);
    if (tables && /state\\*":\\*"catching-up/.test(tables)) this.#transaction.isLastChunk = true;
    if (position) this.#transaction.of = 'changes';
    else if (text.includes('FOR SHARE')) this.#transaction.of = 'chunk';
    this.#transaction.slice = Number(slice ?? 0);
  }

  /** The first position of a connection repeats what the job knew before. */
  #told(position: bigint): Seen | undefined {
    const before = this.#acknowledged;
    this.#acknowledged = position;
    return before !== undefined && position > before ? { kind: 'acknowledgement' } : undefined;
  }

  #answered({ kind, body }: Message): Seen | undefined {
    if (this.#isReplication)
      return kind === 'd' && body[0] === 0x77 && isRowOfLog.test(String.fromCharCode(body[25] ?? 0))
        ? { kind: 'row' }
        : undefined;
    const transaction = this.#committing;
    if (kind !== 'C' || !transaction) return undefined;
    const command = textAt(body, 0);
    if (command !== 'COMMIT' && command !== 'ROLLBACK') return undefined;
    this.#committing = undefined;
    return command === 'COMMIT' ? { kind: 'committed', transaction } : undefined;
  }
}

function newTransaction(): WrittenTransaction {
  return { hasRows: false, of: undefined, slice: 0, isLastChunk: false, parks: false };
}

/** A zero-terminated text. */
function textAt(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start));
}
