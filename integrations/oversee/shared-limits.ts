import { type Clock, LoopError } from 'rsi-loop';
import { hashing } from 'rsi-loop/kit';
import {
  type Amount,
  amountOf,
  checkAmount,
  noSums,
  RESOURCE_NAMES,
  RESOURCES,
  type Resource,
  type Sums,
  sumsOf,
} from './amount.js';
import { SpendBook } from './spend-book.js';

/** Limits beyond a single run. */
export interface SharedBudgets {
  /** Limits of all runs of a session. */
  readonly perSession?: Amount;
  /** Limits of all runs of a day, in UTC. */
  readonly perDay?: Amount;
  /** Limits of all runs. */
  readonly total?: Amount;
  /** Folder that remembers what was spent, for all processes that name it. Default: only this process remembers. */
  readonly folder?: string;
}

/** Reservation in all limits that apply. */
export interface SharedReservation {
  settle(actual: Readonly<Sums>): Promise<void>;
}

interface Limit {
  readonly name: keyof Omit<SharedBudgets, 'folder'>;
  readonly sums: Partial<Sums>;
  readonly book: SpendBook;
}

const FILES = { perSession: 'spending-session', perDay: 'spending-day', total: 'spending' } as const;
const LIMITS = ['perSession', 'perDay', 'total'] as const;

/** Limits per session, per day and in total, kept in a book that processes may share. */
export class SharedLimits {
  /** Resources that at least one of the limits states. */
  readonly resources: readonly Resource[];
  readonly #limits: readonly Limit[];
  readonly #clock: Pick<Clock, 'now'>;

  /** @throws LoopError `invalid-input` for a limit that is no number from 0. */
  constructor(budgets: SharedBudgets, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#limits = LIMITS.flatMap((name) => {
      const amount = budgets[name];
      if (amount === undefined) return [];
      checkAmount(amount, name);
      const sums = sumsOf(amount);
      const stated = RESOURCE_NAMES.filter((resource) => amount[resource] !== undefined);
      const limits = Object.fromEntries(stated.map((resource) => [resource, sums[resource]]));
      return [{ name, sums: limits, book: new SpendBook(FILES[name], budgets.folder) }];
    });
    this.resources = RESOURCE_NAMES.filter((resource) => this.#limits.some(({ sums }) => sums[resource] !== undefined));
  }

  /**
   * Reserves the worst case of one call in each limit. Each limit raises the resources in `estimated` to the largest
   * amount that it knows of, also from other processes.
   * @throws LoopError `budget-exceeded` if one does not cover it; nothing is then reserved. `store-failed` if the folder
   * cannot be used.
   */
  async reserve(
    worst: Readonly<Sums>,
    estimated: readonly Resource[],
    session: string | undefined,
  ): Promise<SharedReservation> {
    const taken: { readonly book: SpendBook; readonly page: string; readonly id: string }[] = [];
    const settle = async (actual: Readonly<Sums>) => {
      for (const { book, page, id } of taken) await book.settle(page, id, actual);
    };
    for (const limit of this.#limits) {
      const page = this.#page(limit.name, session);
      if (page === undefined) continue;
      const { id, amount, before, fits } = await limit.book.reserve(page, worst, limit.sums, estimated);
      if (fits) taken.push({ book: limit.book, page, id });
      else {
        await settle(noSums());
        throw new LoopError('budget-exceeded', describeFull(limit, before, amount));
      }
    }
    return { settle };
  }

  /** Returns the page of the book; undefined if the limit does not apply. Ids of sessions are not written. */
  #page(name: Limit['name'], session: string | undefined): string | undefined {
    if (name === 'total') return '';
    if (name === 'perDay') return new Date(this.#clock.now()).toISOString().slice(0, 10);
    return session === undefined ? undefined : hashing.hashHex(session);
  }
}

function describeFull({ name, sums }: Limit, before: Readonly<Sums>, worst: Readonly<Sums>): string {
  const full = RESOURCE_NAMES.find((each) => before[each] + worst[each] > (sums[each] ?? Number.POSITIVE_INFINITY));
  const resource = full ?? 'calls';
  const shown = (all: Readonly<Sums>) => String(Number(amountOf(all)[resource].toPrecision(4)));
  return `${name}: ${shown(before)} of ${shown({ ...noSums(), ...sums })} ${RESOURCES[resource]} are spent or reserved, and the next call may use ${shown(worst)}: raise ${name}.${resource}, or make the call smaller`;
}
