import type { Clock } from 'rsi-loop';
import { messageOf, partsOf } from 'rsi-loop/kit';
import { AttemptLimit } from './attempt-limit.js';
import { type CallCopy, copyCall } from './call-probe.js';
import { type Caught, describeIncident } from './describe-incident.js';
import type { HealSettings } from './heal-options.js';
import { HotSwap } from './hot-swap.js';
import type { Incident, Repair } from './incident.js';
import { Repairer } from './repairer.js';
import { stackFrames } from './stack-frames.js';

/** State of a healed function. */
export interface Healing {
  /** Returns the last 20 captured failures, oldest first. */
  incidents(): readonly Incident[];
  /** Returns how the last 20 repairs ended, oldest first. */
  repairs(): readonly Repair[];
  /** Resolves when no failure is being handled. Never rejects. */
  idle(): Promise<void>;
  /**
   * Reads what was decided on the patches. With `hotSwap`, uses the merged one from now on, or the original again after
   * a rollback.
   */
  refresh(): Promise<'original' | 'patched'>;
}

const MAX_KEPT = 20;
/** Copies of arguments of earlier calls: the 1st, 2nd, 4th, 8th … call. */
const MAX_SAMPLES = 12;

/** Handles the failures of one function, one at a time and in the background. Its methods for calls never throw. */
export class Healer {
  readonly healing: Healing;
  readonly #settings: HealSettings;
  readonly #clock: Clock;
  readonly #repairer: Repairer | undefined;
  readonly #swap: HotSwap;
  readonly #samples: CallCopy[] = [];
  #incidents: readonly Incident[] = [];
  #repairs: readonly Repair[] = [];
  #calls = 0;
  #handling: Promise<void> | undefined;

  constructor(fn: (...args: never[]) => unknown, settings: HealSettings) {
    this.#settings = settings;
    this.#clock = partsOf(settings.loop).clock;
    const report = (message: string) => this.#report(message);
    this.#swap = new HotSwap(fn, settings.patch, report);
    const { patch } = settings;
    if (patch) this.#repairer = new Repairer({ patch, clock: this.#clock, limit: new AttemptLimit() });
    this.healing = {
      incidents: () => this.#incidents,
      repairs: () => this.#repairs,
      idle: async () => {
        while (this.#handling) await this.#handling;
      },
      refresh: () => this.#swap.refresh(),
    };
  }

  /** The function to call: the original, or a patch that is merged and may be used. */
  get current(): (...args: never[]) => unknown {
    return this.#swap.current;
  }

  /** Copies the arguments of some calls: what worked before must work the same way after a patch. */
  sample(args: readonly unknown[]): void {
    this.#calls++;
    if (!this.#repairer || this.#samples.length >= MAX_SAMPLES || !Number.isInteger(Math.log2(this.#calls))) return;
    const copy = copyCall(args);
    if (copy !== undefined) this.#samples.push(copy);
  }

  /** Takes a failure. Failures during the handling of another one are not captured. */
  failed(error: unknown, args: readonly unknown[]): void {
    if (this.#handling) return;
    const caught: Caught = {
      error,
      args,
      atMs: this.#clock.now(),
      frames: stackFrames(stackOf(error)),
      ...(this.#repairer && { copy: copyCall(args) }),
    };
    const incident = describeIncident(caught, this.#settings);
    this.#handling = this.#handle(incident, caught)
      .catch((cause: unknown) => this.#report(messageOf(cause)))
      .finally(() => {
        this.#handling = undefined;
      });
  }

  async #handle(described: ReturnType<typeof describeIncident>, caught: Caught): Promise<void> {
    const incident = await described;
    this.#incidents = [...this.#incidents, incident].slice(-MAX_KEPT);
    this.#tell('onIncident', () => this.#settings.onIncident?.(incident));
    if (!this.#repairer) return;
    await this.#swap.refresh();
    const samples = [...this.#samples];
    const repair = await this.#repairer.repair(incident, { ...caught, samples });
    if (repair.kind === 'proposed') this.#swap.proposed(repair.change);
    this.#repairs = [...this.#repairs, repair].slice(-MAX_KEPT);
    this.#tell('onRepair', () => this.#settings.onRepair?.(repair));
  }

  #tell(name: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#report(`${name} threw ${messageOf(error)}`);
    }
  }

  #report(message: string): void {
    partsOf(this.#settings.loop).events.emit({ kind: 'problem', where: 'heal', message });
  }
}

function stackOf(error: unknown): unknown {
  try {
    return typeof error === 'object' && error !== null ? Reflect.get(error, 'stack') : undefined;
  } catch {
    return undefined; // a proxy or a getter that throws
  }
}
