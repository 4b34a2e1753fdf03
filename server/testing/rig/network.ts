import { type Seen, Watcher, type WrittenTransaction } from './watcher.ts';
import { type Passing, startWire, type Verdict, type Wire } from './wire.ts';

/** A held message, and what was recognised by it. */
export interface Held extends Passing {
  seen: Seen;
  /** Transactions with rows that the target committed since the source was told what it may forget. */
  unacknowledged: number;
  /** Lets it and everything behind it pass, or not; only the first call counts. */
  release(verdict: Verdict): void;
}

/** The message that is waited for. */
type Wanted = (seen: Seen, isInsideSlice: boolean) => boolean;

interface Address {
  host: string;
  port: number;
}

/** The network between a job and its two servers. */
export class Network {
  readonly #watchers = new WeakMap<object, Watcher>();
  readonly #gone = new WeakSet<object>();
  #wires: [source: Wire, target: Wire] | undefined;
  #armed: { wants: Wanted; held: PromiseWithResolvers<Held> } | undefined;
  #committed = Promise.withResolvers<void>();
  #losing: { connection: object | undefined; lost: PromiseWithResolvers<void> } | undefined;
  #isMute = false;
  /** A transaction is partly at the target, without its end. */
  #isInsideSlice = false;
  #unacknowledged = 0;

  async open(source: Address, target: Address): Promise<void> {
    const gate = (passing: Passing) => this.#decide(passing);
    const onEnd = (connection: object) => this.#ended(connection);
    this.#wires = [await startWire(source, gate, onEnd), await startWire(target, gate, onEnd)];
  }

  get ports(): [source: number, target: number] {
    const [source, target] = this.#open();
    return [source.port, target.port];
  }

  /** Holds the first message that matches. */
  hold(wants: Wanted): Promise<Held> {
    this.#armed = { wants, held: Promise.withResolvers() };
    return this.#armed.held.promise;
  }

  /** Resolves with the job's next commit at the target. */
  nextCommit(): Promise<void> {
    return this.#committed.promise;
  }

  /**
   * From now on nothing from the servers arrives, until the connections are cut.
   * @param connection whose next message is awaited; any when omitted
   * @returns once one was lost, or the job has given that connection up
   */
  loseAnswers(connection: object | undefined): Promise<void> {
    const lost = Promise.withResolvers<void>();
    this.#losing = { connection, lost };
    this.#isMute = true;
    if (connection && this.#gone.has(connection)) lost.resolve();
    return lost.promise;
  }

  /** Cuts every connection; new ones work as usual. */
  cut(): void {
    this.#isMute = false;
    this.#losing = undefined;
    for (const wire of this.#open()) wire.cut();
  }

  delay(ms: number): void {
    for (const wire of this.#open()) wire.delayMs = ms;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open().map((wire) => wire.close()));
  }

  #open(): [source: Wire, target: Wire] {
    if (!this.#wires) throw new Error('The network is not open.');
    return this.#wires;
  }

  #decide(passing: Passing): Verdict | Promise<Verdict> {
    const { from, connection, message } = passing;
    const watcher = this.#watchers.get(connection) ?? new Watcher();
    this.#watchers.set(connection, watcher);
    const seen = watcher.look(from, message);
    if (seen?.kind === 'committed') this.#noteCommit(seen.transaction);
    const unacknowledged = this.#unacknowledged;
    if (seen?.kind === 'acknowledgement') this.#unacknowledged = 0;
    if (from === 'server' && this.#isMute) {
      if (!this.#losing?.connection || this.#losing.connection === connection) this.#losing?.lost.resolve();
      return 'lose';
    }
    const armed = this.#armed;
    if (!seen || !armed?.wants(seen, this.#isInsideSlice)) return 'pass';
    this.#armed = undefined;
    const { promise, resolve: release } = Promise.withResolvers<Verdict>();
    armed.held.resolve({ ...passing, seen, unacknowledged, release });
    return promise;
  }

  #ended(connection: object): void {
    this.#gone.add(connection);
    if (this.#losing?.connection === connection) this.#losing.lost.resolve();
  }

  #noteCommit({ of, hasRows, slice }: WrittenTransaction): void {
    if (of === 'changes') {
      this.#isInsideSlice = slice > 0;
      if (hasRows) this.#unacknowledged++;
    }
    this.#committed.resolve();
    this.#committed = Promise.withResolvers();
  }
}
