import { LoopError } from 'rsi-loop';
import { mustBe, showValue } from 'rsi-loop/kit';
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
import { type CallPlace, CallSizes } from './call-sizes.js';

/** Part of a limit that is used up: reported once for each of 50, 80, 90 and 95 %. */
export interface SpendingAlert {
  /** Name of the limit: a task, a session, a day or the loop. */
  readonly purse: string;
  readonly resource: Resource;
  /** 0.5, 0.8, 0.9 or 0.95. */
  readonly share: number;
  readonly spent: number;
  readonly limit: number;
}

/** Part of a purse that one call may use. */
export interface Reservation {
  readonly reserved: Readonly<Sums>;
  /**
   * Replaces the reserved amount by the real one; unstated fields stay as reserved. Only the first call counts. Returns
   * the real sums.
   */
  settle(actual: Amount): Readonly<Sums>;
  /** Returns the whole amount: the call was not made. */
  cancel(): void;
  /** Whether the amount of a limited resource is an estimate. */
  readonly isEstimated: boolean;
}

/** Place of a call, and the resources that are limited elsewhere. */
interface PlacedCall extends CallPlace {
  readonly limited: readonly Resource[];
}

const ALERT_SHARES = [0.5, 0.8, 0.9, 0.95];

/**
 * Budget of a task. A call reserves its worst case before it is made and settles the real amount after it, so calls in
 * progress never exceed a limit together. A child purse draws on its parent too: every level must cover the call.
 */
export class Purse {
  readonly name: string;
  readonly #limits: Partial<Sums>;
  readonly #parent: Purse | undefined;
  readonly #onAlert: (alert: SpendingAlert) => void;
  readonly #spent = noSums();
  readonly #reserved = noSums();
  /** Sizes of calls, for those that state no worst case. */
  readonly #sizes: CallSizes;
  readonly #alerted: Partial<Sums> = {};
  readonly #refusals = new WeakSet<object>();

  /** @throws LoopError `invalid-input` for a limit that is no number from 0. */
  constructor(
    name: string,
    limits: Amount,
    onAlert: (alert: SpendingAlert) => void = () => {},
    parent?: Purse,
    sizes = parent ? parent.#sizes : new CallSizes(),
  ) {
    mustBe(typeof name === 'string', 'name', showValue(name), 'a text');
    checkAmount(limits, `budget of ${name}`);
    this.#sizes = sizes;
    this.name = name;
    this.#parent = parent;
    this.#onAlert = onAlert;
    this.#limits = statedSums(limits);
  }

  /** Amount of all calls that have ended. */
  get spent(): Required<Amount> {
    return amountOf(this.#spent);
  }

  /** Amount that calls in progress may still use. */
  get reserved(): Required<Amount> {
    return amountOf(this.#reserved);
  }

  /** Amount that is neither spent nor reserved, in the resources that this purse limits. */
  get left(): Amount {
    const left = RESOURCE_NAMES.flatMap((resource) => {
      const limit = this.#limits[resource];
      return limit === undefined ? [] : [[resource, Math.max(0, limit - this.#used(resource))]];
    });
    const named: Partial<Sums> = Object.fromEntries(left);
    return { ...named, ...(named.usd !== undefined && { usd: amountOf({ ...noSums(), usd: named.usd }).usd }) };
  }

  /** Returns a purse with limits of its own that draws on this one too. */
  child(name: string, limits: Amount = {}): Purse {
    return new Purse(name, limits, this.#onAlert, this);
  }

  /**
   * Reserves the worst case of one call. A field that `worst` leaves out is estimated by the largest call of its kind so far.
   * @throws LoopError `budget-exceeded` naming the limit, if a purse on the way up does not cover it. Nothing is then
   * reserved. `invalid-input` for an amount that is no number from 0.
   */
  reserve(worst: Amount = {}, place = this.#place): Reservation {
    checkAmount(worst, 'amount');
    const sums = { ...this.#sizes.estimate(place.kind), calls: 1, ...statedSums(worst) };
    for (let purse: Purse | undefined = this; purse; purse = purse.#parent) purse.#mustCover(sums);
    for (let purse: Purse | undefined = this; purse; purse = purse.#parent) add(purse.#reserved, sums, 1);
    const unknown = this.#unknown(worst, place.limited);
    const measure = this.#sizes.begin(place, unknown);
    let real: Readonly<Sums> | undefined;
    const end = (ended: Readonly<Sums>, stated: Partial<Sums>) => {
      real = ended;
      for (let purse: Purse | undefined = this; purse; purse = purse.#parent) purse.#settle(sums, real);
      measure(stated);
      return real;
    };
    return {
      reserved: sums,
      isEstimated: unknown.length > 0,
      settle: (actual) => {
        if (real) return real;
        checkAmount(actual, 'amount');
        const stated = statedSums(actual);
        return end({ ...sums, ...stated }, stated);
      },
      cancel: () => {
        if (!real) end(noSums(), {});
      },
    };
  }

  /** Returns whether this error says that this purse, and not its parent, did not cover a call. */
  refused(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#refusals.has(error);
  }

  /**
   * Returns a promise while a call must wait: its size is unknown, and calls in progress will show it. Reserve in the same
   * moment in which it returns undefined.
   */
  unmeasured(worst: Amount, place = this.#place): Promise<void> | undefined {
    return this.#sizes.wait(place, this.#unknown(worst, place.limited));
  }

  /** Returns the limited resources that `worst` does not state. */
  #unknown(worst: Amount, limited: readonly Resource[]): readonly Resource[] {
    return RESOURCE_NAMES.filter(
      (each) => each !== 'calls' && worst[each] === undefined && (limited.includes(each) || this.#isLimited(each)),
    );
  }

  get #place(): PlacedCall {
    return { kind: '', group: this.root, limited: [] };
  }

  #isLimited(resource: Resource): boolean {
    return this.#limits[resource] !== undefined || (this.#parent ? this.#parent.#isLimited(resource) : false);
  }

  /** Purse of the outermost run. */
  get root(): Purse {
    return this.#parent ? this.#parent.root : this;
  }

  #used(resource: Resource): number {
    return this.#spent[resource] + this.#reserved[resource];
  }

  #mustCover(sums: Sums): void {
    for (const resource of RESOURCE_NAMES) {
      const limit = this.#limits[resource];
      const used = this.#used(resource);
      // A limit that is used up covers nothing, not even a call without a known amount.
      if (limit === undefined || (used + sums[resource] <= limit && (used < limit || sums[resource] > 0))) continue;
      const shown = (value: number) => String(Number((resource === 'usd' ? value / 1e9 : value).toPrecision(4)));
      const refusal = new LoopError(
        'budget-exceeded',
        `${this.name}: ${shown(used)} of ${shown(limit)} ${RESOURCES[resource]} are spent or reserved, and the next call may use ${shown(sums[resource])}: raise ${resource} of its budget, or make the call smaller`,
      );
      this.#refusals.add(refusal);
      throw refusal;
    }
  }

  #settle(reserved: Sums, real: Sums): void {
    add(this.#reserved, reserved, -1);
    add(this.#spent, real, 1);
    for (const resource of RESOURCE_NAMES) {
      this.#alert(resource);
    }
  }

  #alert(resource: Resource): void {
    const limit = this.#limits[resource];
    if (limit === undefined || limit === 0) return;
    const spent = this.#spent[resource];
    const share = ALERT_SHARES.findLast((each) => spent >= each * limit);
    if (share === undefined || share <= (this.#alerted[resource] ?? 0)) return;
    this.#alerted[resource] = share;
    const unit = resource === 'usd' ? 1e9 : 1;
    this.#onAlert({ purse: this.name, resource, share, spent: spent / unit, limit: limit / unit });
  }
}

function add(to: Sums, sums: Sums, sign: 1 | -1): void {
  for (const resource of RESOURCE_NAMES) to[resource] += sign * sums[resource];
}

/** Returns the sums of the stated fields only. */
function statedSums(amount: Amount): Partial<Sums> {
  const sums = sumsOf(amount);
  const stated: Partial<Sums> = {};
  for (const resource of RESOURCE_NAMES) if (amount[resource] !== undefined) stated[resource] = sums[resource];
  return stated;
}
