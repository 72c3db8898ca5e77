import type { Clock } from 'rsi-loop';
import { isObject } from 'rsi-loop/kit';
import { Document } from './document.js';
import { type AlarmState, afterCall, isAlarming, QUIET } from './failure-alarm.js';
import type { SkillFolder } from './skill-folder.js';

/** Calls of one version of a skill. */
export interface SkillUse {
  readonly calls: number;
  readonly failures: number;
  /** How often agents read its instructions or files. */
  readonly reads?: number;
  /** When this version was first seen in the folder. */
  readonly sinceMs: number;
  readonly lastMs?: number;
  readonly alarm: AlarmState;
  /** Calls on which a candidate ran too: how often only it succeeded, only this version did, or both did the same. */
  readonly shadow?: Shadow;
}

export interface Shadow {
  /** Hash of the candidate. */
  readonly candidate: string;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
}

/** Result of a call, until it is written. */
type Call =
  | { readonly kind: 'seen'; readonly atMs: number }
  | { readonly kind: 'call'; readonly ok: boolean; readonly atMs: number }
  | { readonly kind: 'read'; readonly atMs: number }
  | { readonly kind: 'reset'; readonly atMs: number }
  | { readonly kind: 'shadow'; readonly candidate: string; readonly difference: -1 | 0 | 1; readonly atMs: number };

const FLUSH_MS = 1_000;
const MAX_WAITING = 500;

/**
 * Counts of the calls of each version. They are written every second and when the folder is closed, so a killed process
 * loses at most a second. Several processes add to the same counts.
 */
export class UsageCounts {
  readonly #document: Document<{ readonly uses: Readonly<Record<string, unknown>> }>;
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #report: (error: unknown) => void;
  #known = new Map<string, SkillUse>();
  /** Calls since the last write, by the hash of the version. */
  #waiting: [hash: string, call: Call][] = [];
  #timer: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: SkillFolder, clock: Pick<Clock, 'now' | 'after'>, report: (error: unknown) => void) {
    this.#document = new Document(folder, 'usage.json', 'rsi-skill-usage/1');
    this.#clock = clock;
    this.#report = report;
  }

  async open(): Promise<void> {
    this.#known = await this.#read();
  }

  of(hash: string): SkillUse | undefined {
    return this.#known.get(hash);
  }

  /** Notes that a version is in the folder. */
  see(hash: string): void {
    if (!this.#known.has(hash)) this.#add(hash, { kind: 'seen', atMs: this.#clock.now() });
  }

  /** Adds a call. Returns whether it raises the alarm: once, until a reset. */
  addCall(hash: string, ok: boolean): boolean {
    const before = isAlarming(this.#known.get(hash)?.alarm ?? QUIET);
    this.#add(hash, { kind: 'call', ok, atMs: this.#clock.now() });
    return !before && isAlarming(this.#known.get(hash)?.alarm ?? QUIET);
  }

  /** Notes that an agent read instructions or a file. */
  addRead(hash: string): void {
    this.#add(hash, { kind: 'read', atMs: this.#clock.now() });
  }

  addShadow(hash: string, candidate: string, difference: -1 | 0 | 1): void {
    this.#add(hash, { kind: 'shadow', candidate, difference, atMs: this.#clock.now() });
  }

  /** Forgets the alarm and the comparison of a version. */
  reset(hash: string): void {
    this.#add(hash, { kind: 'reset', atMs: this.#clock.now() });
  }

  /** Resolves when all calls so far are written; `with-seen` also writes when versions were first seen. */
  flush(what: 'calls' | 'with-seen' = 'calls'): Promise<void> {
    this.#timer?.();
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write(what)).catch(this.#report);
    return this.#writing;
  }

  #add(hash: string, call: Call): void {
    this.#known.set(hash, after(this.#known.get(hash), call));
    this.#waiting.push([hash, call]);
    // Looking at a folder writes nothing. First sights are written with the next use.
    if (call.kind === 'seen') return;
    if (this.#waiting.length >= MAX_WAITING) void this.flush();
    else this.#timer ??= this.#clock.after(FLUSH_MS, () => void this.flush(), { background: true });
  }

  /** Adds the waiting calls to what other processes wrote meanwhile. */
  async #write(what: 'calls' | 'with-seen'): Promise<void> {
    const isNeeded =
      what === 'with-seen' ? this.#waiting.length > 0 : this.#waiting.some(([, { kind }]) => kind !== 'seen');
    if (!isNeeded) return;
    const calls = [...this.#waiting];
    const stored = await this.#read();
    for (const [hash, call] of calls) stored.set(hash, after(stored.get(hash), call));
    await this.#document.write({ uses: Object.fromEntries(stored) });
    this.#waiting = this.#waiting.slice(calls.length);
    for (const [hash, call] of this.#waiting) stored.set(hash, after(stored.get(hash), call));
    this.#known = stored;
  }

  /** Reads the counts. Those that cannot be read begin again at 0. */
  async #read(): Promise<Map<string, SkillUse>> {
    const { uses = {} } = (await this.#document.read()) ?? {};
    return new Map(Object.entries(uses).filter((one): one is [string, SkillUse] => isUse(one[1])));
  }
}

function after(use: SkillUse | undefined, call: Call): SkillUse {
  const before: SkillUse = use ?? { calls: 0, failures: 0, sinceMs: call.atMs, alarm: QUIET };
  switch (call.kind) {
    case 'seen':
      return before;
    case 'call':
      return {
        ...before,
        calls: before.calls + 1,
        failures: before.failures + Number(!call.ok),
        lastMs: call.atMs,
        alarm: afterCall(before.alarm, call.ok),
      };
    case 'read':
      return { ...before, reads: (before.reads ?? 0) + 1, lastMs: call.atMs };
    case 'reset': {
      const { shadow: _, ...rest } = before;
      return { ...rest, sinceMs: call.atMs, alarm: QUIET };
    }
    case 'shadow': {
      const { candidate, difference } = call;
      const shadow =
        before.shadow?.candidate === candidate ? before.shadow : { candidate, wins: 0, losses: 0, ties: 0 };
      const [wins, losses] = [shadow.wins + Number(difference > 0), shadow.losses + Number(difference < 0)];
      return { ...before, shadow: { candidate, wins, losses, ties: shadow.ties + Number(difference === 0) } };
    }
    default:
      return call satisfies never;
  }
}

function isUse(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value.alarm)) return false;
  const numbers = [value.calls, value.failures, value.sinceMs, value.lastMs ?? 0, ...value.alarm];
  const shadow = value.shadow === undefined || (isObject(value.shadow) && typeof value.shadow.candidate === 'string');
  return shadow && numbers.every((one) => typeof one === 'number' && Number.isFinite(one));
}
