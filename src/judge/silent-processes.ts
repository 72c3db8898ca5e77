import type { Clock } from '../contract/clock.js';
import type { Store } from '../contract/store.js';

/** Silence after which a process counts as suspended, in milliseconds. Heartbeats come twice a second. */
const SILENT_MS = 60_000;

/** Reports live processes without a heartbeat, each once until its next heartbeat. */
export class SilentProcesses {
  readonly #report: (message: string) => void;
  #reported: ReadonlySet<string> = new Set();

  constructor(report: (message: string) => void) {
    this.#report = report;
  }

  async look({
    store,
    clock,
  }: {
    readonly store: Pick<Store, 'journal' | 'coordination'>;
    readonly clock: Clock;
  }): Promise<void> {
    const silent = (await store.coordination.writers()).filter(
      ({ writer, alive, watermarkMs }) =>
        alive && writer !== store.journal.writer && clock.now() - watermarkMs >= SILENT_MS,
    );
    for (const { writer, watermarkMs } of silent) {
      if (this.#reported.has(writer)) continue;
      const since = new Date(watermarkMs).toISOString();
      this.#report(`process ${writer} runs but shows no sign of life since ${since}; ${ADVICE}`);
    }
    this.#reported = new Set(silent.map(({ writer }) => writer));
  }
}

const ADVICE = 'trials wait for it, and cycles for a minute if it leads: resume it (kill -CONT) or end it';
