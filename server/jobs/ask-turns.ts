import { ConcurrencyLimit } from '../http/concurrency-limit.ts';

interface Limits {
  ofAll: ConstructorParameters<typeof ConcurrencyLimit>[0];
  ofAccount: ConstructorParameters<typeof ConcurrencyLimit>[0];
}

/** A visitor waits only for a moment. */
const waitMs = 4_000;
const forVisitors: Limits = {
  ofAll: { running: 4, waiting: 32, waitMs },
  // One place is left to the others if an account asks systems that do not answer.
  ofAccount: { running: 3, waiting: 16, waitMs },
};
/** The supervisor waits for its turn, however many jobs an account creates or deletes at once. */
const forSupervisor: Limits = {
  ofAll: { running: 2, waiting: 1_000 },
  ofAccount: { running: 1, waiting: 1_000 },
};

/** Who asks: each has places of its own, so that no one waits for the others. */
export type Asker = keyof ReturnType<typeof openAskTurns>;

/** The turns of questions that wait for each other. */
class Turns {
  readonly #limits: Limits;
  readonly #ofAll: ConcurrencyLimit;
  /** Accounts with questions in progress. */
  readonly #accounts = new Map<string, { limit: ConcurrencyLimit; questions: number }>();

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#ofAll = new ConcurrencyLimit(limits.ofAll);
  }

  /** @throws HttpError OVERLOADED if the account, or all accounts together, have too many questions */
  async run<Result>(uid: string, task: () => Promise<Result>): Promise<Result> {
    const account = this.#accounts.get(uid) ?? {
      limit: new ConcurrencyLimit(this.#limits.ofAccount),
      questions: 0,
    };
    this.#accounts.set(uid, account);
    account.questions += 1;
    try {
      return await account.limit.run(() => this.#ofAll.run(task));
    } finally {
      account.questions -= 1;
      if (account.questions === 0) this.#accounts.delete(uid);
    }
  }
}

/** The turns of each asker. */
export function openAskTurns() {
  return {
    visitors: new Turns(forVisitors),
    making: new Turns(forSupervisor),
    // A replay holds a place of all accounts' copies meanwhile.
    replaying: new Turns(forSupervisor),
    deleting: new Turns(forSupervisor),
  };
}
