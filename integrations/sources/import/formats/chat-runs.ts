import { idOf, isRow, nonEmptyText, numberOf, type Row, rowsOf } from '../import-fields.js';
import type { InputHead } from '../importer.js';
import { AGENT_RUN, type OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, documentImporter, type Place } from '../read-documents.js';

/**
 * Importer for recorded conversations of one or several agents with their result: a document with `history` and
 * `is_correct`, or a list of runs with `traj` and `reward`.
 */
export const chatRuns = documentImporter({
  name: 'chat-runs',
  title: 'conversations of agents with their result (.json)',
  detect: isRun,
  open: (found) => new Runs(found),
});

function isRun({ text }: InputHead): boolean {
  const isMarked = /"(?:is_correct|is_corrected)"\s*:\s*(?:true|false)/.test(text) && /"history"\s*:\s*\[/.test(text);
  return isMarked || (/"reward"\s*:\s*[\d.]/.test(text) && /"traj"\s*:\s*\[/.test(text));
}

class Runs implements DocumentReader {
  #messages = 0;
  readonly #own: Record<string, unknown> = {};

  constructor(private readonly found: OutcomeCollector) {}

  member(key: string | undefined, value: unknown, { digest }: Place): void {
    if (key === undefined && isRow(value)) this.#add(value, rowsOf(value.traj).length, digest());
    else if (key === 'history') this.#messages++;
    else if (key !== undefined) this.#own[key] = value;
  }

  end(): void {
    const { is_correct, is_corrected, question_ID } = this.#own;
    if (typeof (is_correct ?? is_corrected) !== 'boolean') return;
    this.#add(
      this.#own,
      this.#messages,
      this.found.key(idOf(question_ID) ?? '', JSON.stringify(this.#own.question ?? '')),
    );
  }

  #add(run: Row, messages: number, own: string): void {
    const stated = run.is_correct ?? run.is_corrected;
    const reward = numberOf(run.reward);
    const success = typeof stated === 'boolean' ? stated : reward === undefined ? undefined : reward >= 1;
    if (success === undefined) return;
    const session = idOf(run.task_id) ?? idOf(run.question_ID);
    this.found.add(AGENT_RUN, `run-${own}`, {
      success,
      session,
      ...(!success && { issues: ['wrong_output'] }),
      context: { messages, ...(nonEmptyText(run.level) !== undefined && { level: nonEmptyText(run.level) }) },
    });
  }
}
