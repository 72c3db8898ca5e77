import { contentText, idOf, isRow, numberOf, type Row, rowOf, rowsOf, textOf, timeOf } from '../fields.js';
import type { Importer, InputHead } from '../importer.js';
import { AGENT_RUN, OutcomeCollector, type RawOutcome, timedId } from '../outcome-collector.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';

const SOURCE = 'tau-bench';

/** Importer for results of tau-bench (a list of runs with their reward) and tau2-bench (`simulations`). */
export const tauBench: Importer = {
  name: SOURCE,
  title: 'runs of tau-bench (.json)',
  detect: ({ text }: InputHead) =>
    /"task_id"\s*:/.test(text) && /"(?:reward|reward_info)"\s*:/.test(text) && /"(?:traj|messages)"\s*:/.test(text),
  read: (input) => {
    const gathering = new OutcomeCollector(input, SOURCE);
    return readDocuments(input, gathering, new Runs(gathering));
  },
};

class Runs implements DocumentReader {
  readonly #gathering: OutcomeCollector;
  #model: string | undefined;

  constructor(gathering: OutcomeCollector) {
    this.#gathering = gathering;
  }

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === 'info') this.#model = textOf(rowOf(rowOf(value).agent_info).llm);
    if (key !== undefined && key !== 'simulations' && key !== 'results') return;
    if (isRow(value)) this.#run(value, place);
    else this.#gathering.reject('a run is not an object', place.line);
  }

  row(row: Row, place: Place): boolean {
    if (row.task_id === undefined) return false;
    this.#run(row, place);
    return true;
  }

  end(): void {
    this.#model = undefined;
  }

  #run(row: Row, place: Place): void {
    const run = idOf(row.id) ?? place.digest();
    const messages = rowsOf(row.traj ?? row.messages);
    const reward = numberOf(row.reward) ?? numberOf(rowOf(row.reward_info).reward);
    const endMs = timeOf(row.end_time) ?? timeOf(row.timestamp);
    const id = timedId(endMs, `${run}-run`);
    const common = { session: run, model: this.#model, atMs: endMs };
    if (reward === undefined) this.#gathering.reject('a run has no reward', place.line);
    else {
      this.#gathering.add({
        ...common,
        task: AGENT_RUN,
        id,
        success: reward >= 1,
        durationMs: secondsOf(row.duration),
        costUsd: numberOf(row.agent_cost) || undefined,
        ...endOf(row, reward),
        context: { task: idOf(row.task_id) ?? null, trial: idOf(row.trial) ?? null },
      });
    }
    addCalls(messages, this.#gathering, (own) => ({ ...common, id: timedId(endMs, `${run}-${own}`), parent: id }));
  }
}

/**
 * Returns the failure of a run. The reward shows only that the result was wrong: most failed runs hold no failed call.
 */
function endOf(row: Row, reward: number): Pick<RawOutcome, 'error' | 'issues'> {
  if (reward >= 1) return {};
  const error = textOf(rowOf(row.info).error) ?? textOf(row.error);
  const reason = textOf(row.termination_reason);
  if (error !== undefined) return { error };
  if (reason !== undefined && /error|max_steps|too_many/.test(reason))
    return { error: { message: `ended with ${reason}`, code: reason } };
  return { issues: ['wrong_output'] };
}

/** Adds the tool calls of a chat, read from its messages. The error of a call begins with `Error`. */
function addCalls(
  messages: readonly Row[],
  gathering: OutcomeCollector,
  common: (own: string) => Omit<RawOutcome, 'task' | 'success'>,
): void {
  const names = new Map<string, string>();
  messages.forEach((message, index) => {
    for (const call of rowsOf(message.tool_calls)) {
      const id = idOf(call.id);
      const name = textOf(rowOf(call.function).name) ?? textOf(call.name);
      if (id !== undefined && name !== undefined) names.set(id, name);
    }
    // In tau2-bench, the simulated person has tools too.
    if (message.role !== 'tool' || message.requestor === 'user') return;
    const id = idOf(message.tool_call_id) ?? idOf(message.id) ?? String(index);
    const tool = textOf(message.name) ?? names.get(id) ?? 'unknown tool';
    const content = contentText(message.content);
    const failed = message.error === true || /^Error\b/.test(content);
    const atMs = timeOf(message.timestamp);
    // A call id may occur twice in a chat; its position does not.
    const found = common(`${index}-${id}`);
    gathering.add({
      ...found,
      task: tool,
      tool,
      success: !failed,
      ...(atMs !== undefined && { atMs }),
      error: failed ? content.slice(0, 2_000).replace(/^Error:\s*/, '') || 'Error' : undefined,
    });
  });
}

function secondsOf(value: unknown): number | undefined {
  const seconds = numberOf(value);
  return seconds === undefined ? undefined : seconds * 1e3;
}
