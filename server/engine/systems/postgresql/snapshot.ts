import { EngineError } from '../../errors.ts';

const half = 2n ** 31n;
const whole = 2n ** 32n;

/** The transactions that a PostgreSQL snapshot sees, as `pg_visible_in_snapshot` defines it. */
export class Snapshot {
  readonly #xmin: bigint;
  readonly #xmax: bigint;
  readonly #running: ReadonlySet<bigint>;

  /** @param text as pg_current_snapshot() prints it: `xmin:xmax:xip,xip` */
  constructor(text: string) {
    const parts = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/.exec(text);
    if (!parts) throw new EngineError('UNEXPECTED', { side: 'source', subject: 'a snapshot in an unknown form' });
    const [, xmin = '', xmax = '', running = ''] = parts;
    this.#xmin = BigInt(xmin);
    this.#xmax = BigInt(xmax);
    this.#running = new Set(running === '' ? [] : running.split(',').map(BigInt));
  }

  /** @param transaction in 64 bits, as text */
  sees(transaction: string): boolean {
    const number = BigInt(transaction);
    if (number < this.#xmin) return true;
    return number < this.#xmax && !this.#running.has(number);
  }
}

/** The 64-bit ID of a transaction that the log gives in 32 bits: the one nearest to a known 64-bit ID. */
export function widen(xid: number, near: bigint): bigint {
  const candidate = near - (near % whole) + BigInt(xid);
  if (candidate - near > half && candidate >= whole) return candidate - whole;
  return near - candidate > half ? candidate + whole : candidate;
}
