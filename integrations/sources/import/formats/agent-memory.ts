import { isRow, nonEmptyText, type Row } from '../import-fields.js';
import type { Batch, Importer, Input, InputHead } from '../importer.js';
import { AGENT_RUN, OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { OutcomeRecords } from './outcomes.js';

const SOURCE = 'agent-memory';

/**
 * Importer for a `memory.json`, in which an agent keeps its skills, failures and directives. Its failures become
 * outcomes.
 */
export const agentMemory: Importer = {
  name: SOURCE,
  title: 'the memory of an agent (memory.json with failures and skills or directives)',
  detect: ({ text }: InputHead) =>
    /"failures"\s*:\s*[[{]/.test(text) && /"(?:skills|directives)"\s*:\s*[[{]/.test(text),
  read,
};

async function* read(input: Input): AsyncGenerator<Batch> {
  const records = new OutcomeRecords(input, SOURCE);
  const open = (found: OutcomeCollector) => new Memory(found, records);
  for await (const batch of readDocuments(input, new OutcomeCollector(input, SOURCE), open)) {
    const { outcomes, skipped } = records.batch(0, 0);
    yield { ...batch, outcomes, skipped: [...batch.skipped, ...skipped] };
  }
}

class Memory implements DocumentReader {
  constructor(
    private readonly found: OutcomeCollector,
    private readonly records: OutcomeRecords,
  ) {}

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === 'skills') this.found.ignore('skill: it says what an agent can do');
    else if (key === 'directives') this.found.ignore('directive: it holds instructions for an agent');
    else if (key === 'failures') for (const each of entriesOf(value)) this.#failure(each, place);
  }

  #failure(value: unknown, place: Place): void {
    const failure = isRow(value) ? value : { error: nonEmptyText(value) };
    const task = failure.task ?? failure.task_type ?? failure.taskType ?? AGENT_RUN;
    const error = failure.error ?? failure.description ?? failure.pattern ?? failure.lesson;
    const record = { ...failure, task, ...(error !== undefined && { error }), success: false };
    this.records.take(record, place.line, Buffer.from(JSON.stringify(value)));
  }
}

/** Returns the entries of a failure list: one failure, or an object that maps ids to failures. */
function entriesOf(value: unknown): readonly unknown[] {
  const isMap = isRow(value) && Object.values(value).length > 0 && Object.values(value).every(isRow);
  return isMap
    ? Object.entries(value as Readonly<Record<string, Row>>).map(([id, each]) => ({ id, ...each }))
    : [value];
}
