import type { Issue, TokenUse } from 'rsi-loop';
import {
  between,
  contentText,
  idOf,
  isRow,
  numberOf,
  type Row,
  rowOf,
  rowsOf,
  textOf,
  timeOf,
  tokenUse,
} from '../fields.js';
import type { Importer, InputHead } from '../importer.js';
import { AGENT_RUN, MODEL_CALL, OutcomeCollector, type RawOutcome, timedId } from '../outcome-collector.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';

const SOURCE = 'inspect-ai';

/**
 * Importer for logs of Inspect evaluations as JSON. `inspect log convert` makes it from the default archives (`.eval`).
 */
export const inspectAi: Importer = {
  name: SOURCE,
  title: 'logs of Inspect (.json)',
  detect: ({ text }: InputHead) => /"eval"\s*:\s*\{/.test(text) && /"(?:run_id|eval_id|task_id)"\s*:/.test(text),
  read: (input) => {
    const gathering = new OutcomeCollector(input, SOURCE);
    return readDocuments(input, gathering, new Log(gathering));
  },
};

/** Issues by the error type of a tool. */
const TOOL_ISSUES: Readonly<Record<string, Issue>> = {
  parsing: 'parse_error',
  unicode_decode: 'parse_error',
  timeout: 'timeout',
  permission: 'permission',
  file_not_found: 'not_found',
  is_a_directory: 'validation',
  limit: 'resource_exhausted',
  output_limit: 'resource_exhausted',
};

class Log implements DocumentReader {
  readonly #gathering: OutcomeCollector;
  #eval: Row = {};
  #error: Row = {};
  #status: unknown;
  #samples = 0;

  constructor(gathering: OutcomeCollector) {
    this.#gathering = gathering;
  }

  member(key: string | undefined, value: unknown, place: Place): void {
    switch (key) {
      case 'eval':
        this.#eval = rowOf(value);
        break;
      case 'status':
        this.#status = value;
        break;
      case 'error':
        this.#error = rowOf(value);
        break;
      case 'samples':
        this.#samples++;
        if (isRow(value)) this.#sample(value, place);
        else this.#gathering.reject('a sample is not an object', place.line);
        break;
      default:
    }
  }

  end(): void {
    // An evaluation that broke before any sample ended failed as a whole.
    if (this.#status === 'error' && this.#samples === 0) {
      const atMs = timeOf(this.#eval.created);
      this.#gathering.add({
        task: textOf(this.#eval.task) ?? AGENT_RUN,
        id: timedId(atMs, idOf(this.#eval.run_id) ?? this.#gathering.key()),
        success: false,
        atMs,
        model: textOf(this.#eval.model),
        error: textOf(this.#error.message) ?? 'the evaluation failed',
      });
    }
    this.#eval = {};
    this.#error = {};
    this.#status = undefined;
    this.#samples = 0;
  }

  #sample(sample: Row, place: Place): void {
    const run = idOf(sample.uuid) ?? place.digest();
    const events = rowsOf(sample.events);
    const atMs = timeOf(sample.completed_at) ?? timeOf(events.at(-1)?.timestamp) ?? timeOf(this.#eval.created);
    const id = timedId(atMs, `${run}-run`);
    const common = { session: run, atMs, model: textOf(this.#eval.model) };
    this.#run(sample, events, { ...common, id });
    const calls = events.filter(({ event }) => event === 'tool');
    const children = { ...common, parent: id };
    for (const call of calls.length > 0 ? calls : rowsOf(sample.messages).filter(({ role }) => role === 'tool')) {
      this.#call(call, run, children);
    }
    events.forEach((event, index) => {
      if (event.event === 'model' && event.pending !== true) this.#modelCall(event, `${run}-${index}`, children);
    });
  }

  #run(sample: Row, events: readonly Row[], common: Omit<RawOutcome, 'task' | 'success'>): void {
    const error = rowOf(sample.error);
    const message = textOf(error.message);
    const score = message === undefined ? firstScore(sample) : undefined;
    if (message === undefined && score === undefined) {
      this.#gathering.ignore('sample without a score');
      return;
    }
    const success = message === undefined && score !== undefined && score.value >= 0.5;
    const limit =
      textOf(rowOf(sample.limit).type) ?? textOf(events.find(({ event }) => event === 'sample_limit')?.type);
    const seconds = numberOf(sample.total_time);
    this.#gathering.add({
      ...common,
      task: textOf(this.#eval.task) ?? AGENT_RUN,
      success,
      durationMs: seconds === undefined ? undefined : seconds * 1e3,
      tokens: usageOf(sample.model_usage),
      quality: score !== undefined && score.value > 0 && score.value < 1 ? 1 + 4 * score.value : undefined,
      error:
        message ??
        (success || limit === undefined ? undefined : { message: `ended at its limit of ${limit}`, code: limit }),
      issues: success || message !== undefined ? undefined : [limit === undefined ? 'wrong_output' : 'incomplete_task'],
      expected: success ? undefined : contentText(sample.target).trim() || undefined,
      actual: success ? undefined : score?.answer,
      context: { sample: idOf(sample.id) ?? null, epoch: idOf(sample.epoch) ?? null },
    });
  }

  /** Reads a tool's message, or the event of its call. */
  #call(call: Row, run: string, common: Omit<RawOutcome, 'task' | 'success' | 'id'>): void {
    const error = rowOf(call.error);
    const type = textOf(error.type);
    if (type === 'approval') {
      this.#gathering.ignore('rejected by a person');
      return;
    }
    const tool = textOf(call.function) ?? 'unknown tool';
    const startMs = timeOf(call.timestamp);
    const endMs = timeOf(call.completed) ?? startMs ?? common.atMs;
    const failed = isRow(call.error);
    const issue = TOOL_ISSUES[type ?? ''];
    this.#gathering.add({
      ...common,
      task: tool,
      tool,
      id: timedId(endMs, `${run}-${idOf(call.tool_call_id) ?? idOf(call.id) ?? ''}`),
      atMs: endMs,
      durationMs: between(startMs, timeOf(call.completed)),
      success: !failed,
      error: failed
        ? {
            message: textOf(error.message) ?? type ?? 'failed without a message',
            ...(type !== undefined && { name: type }),
          }
        : undefined,
      issues: failed && issue !== undefined ? [issue] : undefined,
    });
  }

  #modelCall(event: Row, own: string, common: Omit<RawOutcome, 'task' | 'success' | 'id'>): void {
    const error = textOf(event.error) ?? textOf(rowOf(event.output).error);
    const startMs = timeOf(event.timestamp);
    const endMs = timeOf(event.completed) ?? startMs;
    this.#gathering.add({
      ...common,
      task: MODEL_CALL,
      id: timedId(endMs, own),
      atMs: endMs ?? common.atMs,
      model: textOf(event.model) ?? common.model,
      durationMs: between(startMs, timeOf(event.completed)),
      tokens: tokensOf(rowOf(event.output).usage),
      success: error === undefined,
      error,
    });
  }
}

interface Score {
  /** From 0 to 1. */
  readonly value: number;
  readonly answer?: string | undefined;
}

const WORDS: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0, true: 1, false: 0, yes: 1, no: 0 };

/** Returns the first score, with which the report begins. A score of several values is not usable alone. */
function firstScore(sample: Row): Score | undefined {
  const scores = isRow(sample.scores) ? Object.values(sample.scores) : [sample.score];
  for (const each of scores) {
    const score = rowOf(each);
    const value = WORDS[String(score.value)] ?? numberOf(score.value);
    if (value !== undefined) return { value: Math.min(1, Math.max(0, value)), answer: textOf(score.answer) };
  }
  return undefined;
}

function usageOf(usage: unknown) {
  const all = Object.values(rowOf(usage)).map(tokensOf);
  if (all.length === 0) return undefined;
  const sum = (name: keyof TokenUse) => all.reduce((total, each) => total + (each?.[name] ?? 0), 0);
  return tokenUse(sum('input'), sum('output'), sum('cachedInput'));
}

/**
 * Returns the tokens used. Some providers count the cache in `input_tokens`, others beside it; the total shows which.
 */
function tokensOf(value: unknown) {
  const usage = rowOf(value);
  const input = numberOf(usage.input_tokens);
  const output = numberOf(usage.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const read = numberOf(usage.input_tokens_cache_read) ?? 0;
  const cached = read + (numberOf(usage.input_tokens_cache_write) ?? 0);
  const total = numberOf(usage.total_tokens);
  const beside = total === undefined ? cached > (input ?? 0) : total >= (input ?? 0) + (output ?? 0) + cached;
  return tokenUse((input ?? 0) + (beside ? cached : 0), output ?? 0, read);
}
