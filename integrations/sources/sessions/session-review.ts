import { type Correction, findCorrections } from './corrections.js';
import { findUnseen, type Unseen } from './find-unseen.js';
import { readTraces } from './read-traces.js';
import { findRepeated, type Repeated } from './repeated.js';
import type { Trace } from './trace.js';
import { findWrongStep, type WrongStep } from './wrong-step.js';

/** Place of a finding. */
interface Found {
  readonly path: string;
  readonly session: string;
}

export type FoundUnseen = Unseen & Found;
export type FoundWrongStep = WrongStep & Found;

/** Failures of sessions that no program reported. */
export interface SessionFindings {
  readonly sessions: number;
  /** Claims of answers that the trace does not bear out. */
  readonly unseen: readonly FoundUnseen[];
  /** Corrections by users: interrupts, refusals, words, and repeated requests. */
  readonly corrections: Readonly<Record<Correction['kind'], number>>;
  /** Corrections that came again in several sessions. */
  readonly repeated: readonly Repeated[];
  /** Sessions known to have failed, and the first wrong step of those whose trace shows it. */
  readonly failed: number;
  readonly wrongSteps: readonly FoundWrongStep[];
}

/** Corrections remembered. The newest of more are not compared with each other. */
const MAX_CORRECTIONS = 5_000;
const MAX_FOUND = 1_000;

/** Collects the findings of sessions, one at a time. Keeps findings, and no trace. */
export class SessionReview {
  #sessions = 0;
  #failed = 0;
  readonly #seen = new Set<string>();
  readonly #unseen: FoundUnseen[] = [];
  readonly #corrections: Correction[] = [];
  readonly #wrongSteps: FoundWrongStep[] = [];

  /** Reads the sessions of one file. Other files have none. */
  read(text: string, path: string): void {
    for (const trace of readTraces(text, path)) this.add(trace);
  }

  add(trace: Trace): void {
    const { path, session } = trace;
    this.#sessions++;
    if (trace.failed === true) this.#failed++;
    // A resumed session repeats the lines of the earlier one.
    const isNew = (kind: string, said: string, atMs: number | undefined) => {
      const key = `${kind}\0${atMs ?? path}\0${said}`;
      return !this.#seen.has(key) && this.#seen.add(key) !== undefined;
    };
    for (const one of findUnseen(trace))
      if (this.#unseen.length < MAX_FOUND && isNew(one.kind, one.claimed, one.atMs))
        this.#unseen.push({ ...one, path, session });
    for (const one of findCorrections(trace))
      if (this.#corrections.length < MAX_CORRECTIONS && isNew(one.kind, `${one.line} ${one.said}`, one.atMs))
        this.#corrections.push(one);
    const step = findWrongStep(trace);
    if (step && this.#wrongSteps.length < MAX_FOUND) this.#wrongSteps.push({ ...step, path, session });
  }

  get findings(): SessionFindings {
    const count = (kind: Correction['kind']) => this.#corrections.filter((one) => one.kind === kind).length;
    return {
      sessions: this.#sessions,
      unseen: this.#unseen,
      corrections: {
        interrupt: count('interrupt'),
        refusal: count('refusal'),
        said: count('said'),
        again: count('again'),
      },
      repeated: findRepeated(this.#corrections),
      failed: this.#failed,
      wrongSteps: this.#wrongSteps,
    };
  }
}
