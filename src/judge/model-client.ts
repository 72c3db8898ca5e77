import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import type { Issue } from '../contract/issue.js';
import type { Json } from '../contract/json.js';
import type { Model, ModelRequest } from '../contract/model.js';
import { checkAnswer } from '../lib/model-answer.js';
import { recordedText } from '../lib/recorded-text.js';
import { messageOf } from '../lib/text.js';
import type { OutcomeFields } from '../observe/outcome-observer.js';

export interface ModelClientOptions {
  readonly model: Model;
  readonly clock: Clock;
  /** Maximum time for one answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Records each call as an outcome of the loop itself. */
  readonly record: (task: string, fields: OutcomeFields) => void;
  readonly report: (message: string) => void;
  /** Runs work that must not be captured as a call of the host. */
  readonly unseen: <Result>(work: () => Result) => Result;
}

/** Result of a question. */
export type ModelResult =
  | { readonly kind: 'answered'; readonly json: Json; readonly by: string }
  /** The model answered, but not with what was asked for. A different question may succeed. */
  | { readonly kind: 'unusable'; readonly reason: string }
  /** The model is unavailable, perhaps temporarily. */
  | { readonly kind: 'away'; readonly reason: string };

/** Source of the loop's own outcomes. The loop never proposes fixes for them and asks no model about them. */
export const OWN_SOURCE = 'rsi-loop';
/** Pause after a model was unavailable, in milliseconds. */
const REST_MS = 600_000;
const MAX_NAME_BYTES = 200;

/** Client for the loop's own model. Calls have a time limit, are validated and recorded, and never disturb the host. */
export class ModelClient {
  readonly #options: ModelClientOptions;
  readonly #abort = new AbortController();
  #restUntilMs = Number.NEGATIVE_INFINITY;
  #away = '';

  constructor(options: ModelClientOptions) {
    this.#options = options;
  }

  /** Asks for JSON. Never rejects: errors are returned as the reason. Also reports an unavailable model, once. */
  async ask(about: string, request: ModelRequest): Promise<ModelResult> {
    const { model, clock, timeoutMs, record, unseen } = this.#options;
    if (this.#abort.signal.aborted) return { kind: 'away', reason: 'the loop is closing' };
    if (clock.monotonic() < this.#restUntilMs) return { kind: 'away', reason: this.#away };
    const startedMs = clock.monotonic();
    const own = { source: OWN_SOURCE, parent: OWN_SOURCE };
    try {
      const call = { timeoutMs, signal: this.#abort.signal };
      const answer = await unseen(() => inTime(model, request, call, clock));
      // A host's own model may rely on its server's validation.
      const { json } = checkAnswer(model.name, request, answer);
      const by = recordedText(answer.model, MAX_NAME_BYTES) || recordedText(model.name, MAX_NAME_BYTES);
      const { tokens } = answer;
      const durationMs = clock.monotonic() - startedMs;
      record(about, { ...own, success: true, model: by, durationMs, ...(tokens && { tokens }) });
      return { kind: 'answered', json: json ?? null, by };
    } catch (error) {
      if (this.#abort.signal.aborted) return { kind: 'away', reason: 'the loop is closing' };
      const reason = recordedText(messageOf(error));
      const durationMs = clock.monotonic() - startedMs;
      record(about, { ...own, success: false, error: reason, issues: issuesOf(error), durationMs });
      if (LoopError.is(error) && error.code === 'model-answer') return { kind: 'unusable', reason };
      this.#restUntilMs = clock.monotonic() + REST_MS;
      this.#away = reason;
      this.#options.report(`${about}: ${reason}; the loop continues without a model and tries again in 10 minutes`);
      return { kind: 'away', reason };
    }
  }

  /** Aborts running calls and rejects further ones. */
  close(): void {
    this.#abort.abort(new LoopError('closed', 'the loop is closing'));
  }
}

/** Returns issues that the error message alone does not show. */
function issuesOf(error: unknown): readonly Issue[] {
  if (!LoopError.is(error)) return [];
  if (error.code === 'model-answer') return ['parse_error'];
  return error.code === 'timed-out' ? ['timeout'] : [];
}

/** Rejects after the time limit, or when the signal aborts, even if the model ignores both. */
async function inTime(
  model: Model,
  request: ModelRequest,
  call: { readonly timeoutMs: number; readonly signal: AbortSignal },
  clock: Clock,
): Promise<Awaited<ReturnType<Model['complete']>>> {
  const { timeoutMs, signal } = call;
  let stop = () => {};
  const end = new Promise<never>((_, reject) => {
    const late = new LoopError('timed-out', `${model.name} gave no answer within ${timeoutMs} ms`);
    // Slightly later than the model's own time-out, whose message is more specific.
    const cancel = clock.after(timeoutMs + 50, () => reject(late), { background: true });
    const aborted = () => reject(signal.reason);
    signal.addEventListener('abort', aborted, { once: true });
    stop = () => {
      cancel();
      signal.removeEventListener('abort', aborted);
    };
  });
  try {
    return await Promise.race([model.complete(request, call), end]);
  } finally {
    stop();
  }
}
