import type { Clock } from 'rsi-loop';
import { ProgressWatch, type WatchedCall, type WatchFinding, type WatchOptions } from './progress-watch.js';
import type { SecondOpinion } from './second-opinion.js';

/** Parts that the watch of a run works with. */
export interface RunWatchParts {
  readonly task: string;
  readonly clock: Clock;
  readonly options: WatchOptions;
  readonly opinion: SecondOpinion | undefined;
  readonly signal: AbortSignal;
  readonly onFinding: (finding: WatchFinding) => void;
  readonly onStuck: (finding: WatchFinding) => void;
}

const MAX_HINTS = 20;

/** Watches one run: takes its calls, looks for silence by a timer, collects hints, and asks before it stops the run. */
export class RunWatch {
  readonly #parts: RunWatchParts;
  readonly #progress: ProgressWatch;
  #hints: string[] = [];
  #cancel: () => void = () => undefined;

  constructor(parts: RunWatchParts) {
    this.#parts = parts;
    this.#progress = new ProgressWatch(parts.clock.monotonic(), parts.options);
    this.#lookLater();
  }

  add(call: WatchedCall): void {
    this.#take(this.#progress.add(call, this.#parts.clock.monotonic()));
  }

  /** Takes a sign of life that is no call of this run. */
  alive(): void {
    this.#progress.alive(this.#parts.clock.monotonic());
  }

  /**
   * Takes note of an announced wait, until the returned function is called and for `upToMs` at the most. `isInner`: a child
   * waits.
   */
  wait(upToMs: number, isInner = false): () => void {
    const { clock } = this.#parts;
    const end = this.#progress.wait(clock.monotonic() + upToMs, isInner);
    return () => {
      end(clock.monotonic());
      // The next look may be far away.
      this.#cancel();
      this.#lookLater();
    };
  }

  /** Returns the hints since the last call. */
  takeHints(): readonly string[] {
    const hints = this.#hints;
    this.#hints = [];
    return hints;
  }

  close(): void {
    this.#cancel();
  }

  #take(finding: WatchFinding | undefined): void {
    if (finding === undefined) return;
    if (finding.step === 'hint') this.#hints = [...this.#hints, finding.message].slice(-MAX_HINTS);
    if (finding.step === 'stop') this.#decide(finding);
    else this.#parts.onFinding(finding);
  }

  #decide(finding: WatchFinding): void {
    const { opinion, task, signal, clock, onStuck } = this.#parts;
    if (!opinion) {
      onStuck(finding);
      return;
    }
    void opinion.ask(task, finding, signal).then((isStuck) => {
      if (isStuck) onStuck(finding);
      else this.#progress.forgive(finding.kind, clock.monotonic());
    });
  }

  #lookLater(): void {
    const { clock, signal } = this.#parts;
    if (signal.aborted) return;
    const look = () => {
      this.#take(this.#progress.look(clock.monotonic()));
      this.#lookLater();
    };
    this.#cancel = clock.after(this.#progress.nextLookMs(clock.monotonic()), look, { background: true });
  }
}
