import type { Issue, TokenUse } from 'rsi-loop';
import { timedId } from '../../timed-id.js';
import {
  between,
  contentText,
  idOf,
  isRow,
  nonEmptyText,
  numberOf,
  type Row,
  rowOf,
  rowsOf,
  secondsOf,
  timeOf,
  tokenUse,
} from '../import-fields.js';
import type { InputHead } from '../importer.js';
import { AGENT_RUN, type Facts, MODEL_CALL, type OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, documentImporter, type Place } from '../read-documents.js';

/**
 * Importer for logs of Inspect evaluations as JSON. `inspect log convert` makes it from the default archives (`.eval`).
 */
export const inspectAi = documentImporter({
  name: 'inspect-ai',
  title: 'logs of Inspect (.json)',
  detect: ({ text }: InputHead) => /"eval"\s*:\s*\{/.test(text) && /"(?:run_id|eval_id|task_id)"\s*:/.test(text),
  open: (found) => new Log(found),
});

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
  #eval: Row = {};
  #error: Row = {};
  #status: unknown;
  #samples = 0;

  constructor(private readonly found: OutcomeCollector) {}

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
        else this.found.reject('a sample is not an object', place.line);
        break;
      default:
    }
  }

  end(): void {
    // An evaluation that broke before any sample ended failed as a whole.
    if (this.#status !== 'error' || this.#samples > 0) return;
    const atMs = timeOf(this.#eval.created);
    this.found.add(this.#task, timedId(atMs, idOf(this.#eval.run_id) ?? this.found.key()), {
      ...this.#common(atMs),
      success: false,
      error: nonEmptyText(this.#error.message) ?? 'the evaluation failed',
    });
  }

  get #task(): string {
    return nonEmptyText(this.#eval.task) ?? AGENT_RUN;
  }

  #common(atMs: number | undefined) {
    return { atMs, model: nonEmptyText(this.#eval.model) };
  }

  #sample(sample: Row, place: Place): void {
    const run = idOf(sample.uuid) ?? place.digest();
    const events = rowsOf(sample.events);
    const atMs = timeOf(sample.completed_at) ?? timeOf(events.at(-1)?.timestamp) ?? timeOf(this.#eval.created);
    const id = timedId(atMs, `${run}-run`);
    const common = { ...this.#common(atMs), session: run };
    const end = endOf(sample, events);
    if (end === undefined) this.found.ignore('sample without a score');
    else {
      const context = { sample: idOf(sample.id) ?? null, epoch: idOf(sample.epoch) ?? null };
      const durationMs = secondsOf(sample.total_time);
      this.found.add(this.#task, id, {
        ...common,
        ...end,
        durationMs,
        tokens: usageOf(sample.model_usage),
        context,
      });
    }
    const children = { ...common, parent: id };
    const calls = events.filter(({ event }) => event === 'tool');
    for (const call of calls.length > 0 ? calls : rowsOf(sample.messages).filter(({ role }) => role === 'tool')) {
      this.#call(call, run, children);
    }
    events.forEach((event, index) => {
      if (event.event === 'model' && event.pending !== true) this.#modelCall(event, `${run}-${index}`, children);
    });
  }

  /** Reads a tool's message, or the event of its call. */
  #call(call: Row, run: string, common: Omit<Facts, 'success'>): void {
    const startMs = timeOf(call.timestamp);
    const endMs = timeOf(call.completed);
    const atMs = endMs ?? startMs ?? common.atMs;
    const tool = nonEmptyText(call.function) ?? 'unknown tool';
    const error = isRow(call.error) ? call.error : undefined;
    const type = nonEmptyText(error?.type);
    if (type === 'approval') {
      this.found.ignore('rejected by a person');
      return;
    }
    const issue = TOOL_ISSUES[type ?? ''];
    this.found.add(tool, timedId(atMs, `${run}-${idOf(call.tool_call_id) ?? idOf(call.id) ?? ''}`), {
      ...common,
      tool,
      atMs,
      durationMs: between(startMs, endMs),
      success: error === undefined,
      error: error && {
        message: nonEmptyText(error.message) ?? type ?? 'failed without a message',
        ...(type !== undefined && { name: type }),
      },
      issues: issue && [issue],
    });
  }

  #modelCall(event: Row, own: string, common: Omit<Facts, 'success'>): void {
    const output = rowOf(event.output);
    const error = nonEmptyText(event.error) ?? nonEmptyText(output.error);
    const startMs = timeOf(event.timestamp);
    const endMs = timeOf(event.completed);
    const atMs = endMs ?? startMs;
    this.found.add(MODEL_CALL, timedId(atMs, own), {
      ...common,
      atMs: atMs ?? common.atMs,
      model: nonEmptyText(event.model) ?? common.model,
      durationMs: between(startMs, endMs),
      tokens: tokensOf(output.usage),
      success: error === undefined,
      error,
    });
  }
}

/** Returns how a sample ended: by its error or its first score; undefined if it has neither. */
function endOf(sample: Row, events: readonly Row[]): Facts | undefined {
  const broken = nonEmptyText(rowOf(sample.error).message);
  if (broken !== undefined) return { success: false, error: broken, expected: expectedOf(sample) };
  const score = firstScore(sample);
  if (score === undefined) return undefined;
  const { value, answer } = score;
  const quality = value > 0 && value < 1 ? 1 + 4 * value : undefined;
  if (value >= 0.5) return { success: true, quality };
  const failed = { success: false, quality, expected: expectedOf(sample), actual: answer };
  const limit =
    nonEmptyText(rowOf(sample.limit).type) ?? nonEmptyText(events.find(({ event }) => event === 'sample_limit')?.type);
  if (limit === undefined) return { ...failed, issues: ['wrong_output'] };
  return { ...failed, issues: ['incomplete_task'], error: { message: `ended at its limit of ${limit}`, code: limit } };
}

function expectedOf({ target }: Row): string | undefined {
  return contentText(target).trim() || undefined;
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
    if (value !== undefined) return { value: Math.min(1, Math.max(0, value)), answer: nonEmptyText(score.answer) };
  }
  return undefined;
}

/** Returns the tokens of all models together. */
export function usageOf(usage: unknown) {
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
  const read = numberOf(usage.input_tokens_cache_read) ?? 0;
  const cached = read + (numberOf(usage.input_tokens_cache_write) ?? 0);
  const total = numberOf(usage.total_tokens);
  const beside = total === undefined ? cached > (input ?? 0) : total >= (input ?? 0) + (output ?? 0) + cached;
  return tokenUse(beside ? (input ?? 0) + cached : input, output, read);
}
