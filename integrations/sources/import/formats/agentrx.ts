import { idOf, isRow, type Row, rowOf, rowsOf, textOf } from '../fields.js';
import { Gathering, timedId } from '../gathering.js';
import type { Importer, InputHead } from '../importer.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';

const SOURCE = 'agentrx';

/** Labels of AgentRx: at which step a run went wrong, and by whom. The runs themselves are those of tau-bench and others. */
export const agentRx: Importer = {
  name: SOURCE,
  title: 'failure labels of AgentRx (.json)',
  detect: ({ text }: InputHead) => /"trajectory_id"\s*:/.test(text) && /"failure_category"\s*:/.test(text),
  read: (input) => {
    const gathering = new Gathering(input, SOURCE);
    return readDocuments(input, gathering, new Labels(gathering));
  },
};

class Labels implements DocumentReader {
  readonly #gathering: Gathering;

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
  }

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === undefined && isRow(value)) this.#label(value, place);
    else if (key === undefined) this.#gathering.skip('a label is no object', place.line);
  }

  row(row: Row, place: Place): boolean {
    this.#label(row, place);
    return true;
  }

  end(): void {}

  /** What the run failed by is its outcome; what else went wrong in it followed, or was made good. */
  #label(row: Row, place: Place): void {
    const failures = rowsOf(row.failures);
    const rootId = idOf(rowOf(row.root_cause).failure_id);
    const root = failures.find((failure) => idOf(failure.failure_id) === rootId) ?? failures[0];
    const run = idOf(row.trajectory_id);
    if (root === undefined || run === undefined) {
      this.#gathering.skip('a label names no failure', place.line);
      return;
    }
    const category = textOf(root.failure_category) ?? 'unknown failure';
    this.#gathering.add({
      task: 'labelled_step',
      id: timedId(undefined, `agentrx-${place.digest()}`),
      // A step inside of a run: whoever imports the runs as well does not count their failures twice.
      parent: run,
      success: false,
      agent: textOf(root.failed_agent),
      // What a person wrote about it is no message of a program: it is not classified.
      actual: textOf(root.step_reason) ?? textOf(row.failure_summary),
      issues: [category.toLowerCase().replace(/[^a-z0-9]+/g, '_')],
      context: { run, step: idOf(root.step_number) ?? null },
    });
    for (let other = 1; other < failures.length; other++) this.#gathering.leave('failure beside the root cause');
  }
}
