import type { JournalRecord } from '../contract/journal-record.js';
import type { Outcome } from '../contract/outcome.js';
import { addTo } from '../lib/add-to.js';
import { Pace } from '../lib/yield-to-event-loop.js';
import type { Components } from './components.js';

/** Records between two looks at the clock. */
const RECORDS_PER_LOOK = 10;

/**
 * Feeds the records of one cycle, sorted by (atMs, id), to the components in slices so the event loop stays responsive.
 * Slice size depends on the clock and does not affect results. Outcomes are analyzed task by task: in time order, many
 * distinct tasks would cause cache misses and take half as long again.
 */
export async function absorb(components: Components, records: readonly JournalRecord[], atMs: number): Promise<void> {
  const { analyzer, experience, verifier, health, models, clock, prompts } = components;
  const pace = new Pace(clock);
  const byTask = new Map<string, Outcome[]>();
  for (let from = 0; from < records.length; from += RECORDS_PER_LOOK) {
    if (pace.isDue) await pace.pause();
    const part = records.slice(from, from + RECORDS_PER_LOOK);
    const outcomes = outcomesOf(part);
    for (const outcome of outcomes) addTo(byTask, outcome.task, outcome);
    experience.library.absorb(outcomes);
    verifier.absorb(part);
    health.settle(outcomes, atMs);
    models.absorb(part);
    prompts.texts?.absorb(part);
  }
  for (const outcomes of byTask.values()) {
    for (let from = 0; from < outcomes.length; from += RECORDS_PER_LOOK) {
      if (pace.isDue) await pace.pause();
      analyzer.absorb(outcomes.slice(from, from + RECORDS_PER_LOOK));
    }
  }
}

function outcomesOf(records: readonly JournalRecord[]): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  for (const record of records) if (record.kind === 'outcome') outcomes.push(record.outcome);
  return outcomes;
}
