import type { Outcome, Pattern } from 'rsi-loop';
import { Analyzer } from 'rsi-loop/kit';

/** One issue of one task, and its messages, most frequent first. */
export interface Failing {
  readonly pattern: Pattern;
  readonly messages: readonly Pattern[];
}

/** Counts the same outcomes twice over one period: by task and issue, and by message within them. */
export class Tally {
  readonly lengthMs: number;
  readonly #issues: Analyzer;
  readonly #messages: Analyzer;

  constructor(lengthMs: number) {
    this.lengthMs = lengthMs;
    this.#issues = new Analyzer({ windowMs: lengthMs });
    this.#messages = new Analyzer({ windowMs: lengthMs });
  }

  absorb(outcomes: readonly Outcome[]): void {
    const compared = outcomes.map(withoutFigures);
    this.#messages.absorb(compared);
    this.#issues.absorb(compared.map(withoutMessage));
  }

  failing(nowMs: number): readonly Failing[] {
    const messages = new Map<string, Pattern[]>();
    for (const pattern of this.#messages.patterns(nowMs)) {
      const key = patternKey(pattern);
      const known = messages.get(key);
      if (known) known.push(pattern);
      else messages.set(key, [pattern]);
    }
    return this.#issues.patterns(nowMs).map((pattern) => ({
      pattern,
      messages: (messages.get(patternKey(pattern)) ?? []).sort((one, other) => other.count - one.count),
    }));
  }
}

/**
 * Removes durations and costs from a success. `Costs` finds rises by session, because a log has no baseline for its
 * first days.
 */
function withoutFigures(outcome: Outcome): Outcome {
  if (!outcome.success) return outcome;
  const { durationMs: _, costUsd: __, tokens: ___, ...rest } = outcome;
  return rest;
}

function withoutMessage(outcome: Outcome): Outcome {
  if (!outcome.error) return outcome;
  const { error: _, ...rest } = outcome;
  return rest;
}

function patternKey({ kind, task, issue }: Pattern): string {
  return JSON.stringify([kind, task, issue]);
}
