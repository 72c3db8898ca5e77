import { type JournalRecord, LoopError, Observer, type Outcome, type OutcomeId, type Store } from 'rsi-loop';
import { erasing } from 'rsi-loop/kit';
import { CI_SOURCE, LOG_TAG } from './history.js';
import type { RunInfo } from './run-info.js';
import type { TestCase } from './test-case.js';
import { digest } from './test-key.js';

const LOT = 2_000;
const MAX_TASK = 190;
const MAX_ATTEMPTS = 7;

/** Test case with what its outcome is called by. */
export interface RecordedTest {
  readonly test: TestCase;
  readonly key: number;
  /** Id of the report. */
  readonly report: string;
  /** Place of the failure, such as `src/a.test.ts:12`. */
  readonly at?: string;
  readonly isLog?: boolean;
}

/** Recorder of test results as outcomes of a store. */
export class TestRecorder {
  readonly #store: Store;
  readonly #run: RunInfo;
  readonly #observer: Observer;
  #isErased: (id: string) => boolean = () => false;
  #outcome: Outcome | undefined;
  #lot: JournalRecord[] = [];
  #lost: string | undefined;

  private constructor(store: Store, run: RunInfo, atMs: number) {
    this.#store = store;
    this.#run = run;
    this.#observer = new Observer({
      clock: { now: () => atMs },
      newId: () => 'ci',
      into: {
        take: (outcome) => {
          this.#outcome = outcome;
        },
      },
      report: () => {}, // an invalid field is dropped; the outcome stays
      source: CI_SOURCE,
    });
    store.onProblem?.(({ kind, message }) => {
      if (kind === 'dropped' || kind === 'failing') this.#lost = message;
    });
  }

  static async open(store: Store, run: RunInfo, atMs: number): Promise<TestRecorder> {
    const recorder = new TestRecorder(store, run, atMs);
    recorder.#isErased = await erasing.erasedFrom(store);
    return recorder;
  }

  /** Records one result. Returns false if it was erased from the store and must not return. */
  record({ test, key, report, at, isLog }: RecordedTest): boolean {
    const id = `ci-${report}-${key.toString(16).padStart(13, '0')}`;
    if (this.#isErased(id)) return false;
    const { branch, commit, job } = this.#run;
    const { result, failedAttempts = 0, failure, durationMs } = test;
    const success = result === 'passed';
    this.#observer.recordSimple(taskOf(test, key), {
      success,
      session: report,
      ...(durationMs !== undefined && { durationMs }),
      ...(failure && !success && { error: failure.message }),
      ...(failedAttempts > (success ? 0 : 1) && { attempts: attemptsOf(failedAttempts, success) }),
      ...(isLog && { tags: [LOG_TAG] }),
      context: {
        branch,
        job,
        ...(commit !== undefined && { commit }),
        ...(at !== undefined && { at }),
        ...(failure && success && { failure: failure.message }),
        ...(failure?.details !== undefined && { stack: failure.details }),
      },
    });
    // The observer emits synchronously; the id names this result alone.
    if (this.#outcome) this.#lot.push({ kind: 'outcome', outcome: { ...this.#outcome, id: id as OutcomeId } });
    this.#outcome = undefined;
    return true;
  }

  /** Writes what is recorded so far once it is a lot. Slows the reading down to the speed of the disk. */
  async writeLot(): Promise<void> {
    if (this.#lot.length >= LOT) await this.flush();
  }

  /**
   * Resolves when everything is stored.
   * @throws LoopError `store-failed` if the store lost something.
   */
  async flush(): Promise<void> {
    this.#store.journal.append(this.#lot);
    this.#lot = [];
    await this.#store.journal.flush();
    if (this.#lost !== undefined) throw new LoopError('store-failed', `recording stopped: ${this.#lost}`);
  }
}

/** Returns the task of a test case. A long name ends with its key, so that it stays different from others. */
export function taskOf({ suite, name }: Pick<TestCase, 'suite' | 'name'>, key: number): string {
  const whole = `${suite} › ${name}`;
  return whole.length <= MAX_TASK ? whole : `${whole.slice(0, MAX_TASK - 12)}… ${key.toString(16).slice(-8)}`;
}

function attemptsOf(failed: number, success: boolean): NonNullable<Outcome['attempts']> {
  const one = { delayMs: 0, durationMs: 0 };
  const lost = Array.from({ length: Math.min(failed, MAX_ATTEMPTS) }, () => ({ ...one, success: false }));
  return success ? [...lost, { ...one, success }] : lost;
}

/** Returns the id of a report: of its content in one run of one commit. Reading the same report again gives the same id. */
export function reportId(hash: string, { branch, commit, job, runId }: RunInfo): string {
  return digest(JSON.stringify([hash, branch, commit ?? '', job, runId]), 16);
}
