import type { CallSpan, Clock, OutcomeFields } from 'rsi-loop';
import { answerEnd, TRUNCATED, tokensOf } from './answer.js';
import { AnswerReader, bodyKindOf } from './answer-reader.js';
import type { OneAttempt } from './attempts.js';
import { statedEnd } from './watch-call.js';
import type { BodyEnd, BodyListener, ResponseWatcher } from './watch-response.js';
import { wordless } from './wordless.js';

export interface ModelCallOptions {
  /** The requested model, if the request names it. */
  readonly model: string | undefined;
  /** Stores the text of request and answer in the outcome's context, redacted and shortened. */
  readonly content: boolean;
  readonly request: string | undefined;
  /** Whether a model server answers: then the answer's content is read too. */
  readonly isModelServer: boolean;
  readonly host: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Time-out after which the SDK itself aborts, in milliseconds, if known. */
  readonly timeoutMs: number | undefined;
  readonly attempt: OneAttempt;
}

/** Listener that follows the answer of a model server to its end, and records the outcome. */
export class ModelCall implements BodyListener {
  readonly #call: CallSpan;
  readonly #options: ModelCallOptions;
  readonly #status: number;
  readonly #statusText: string;
  readonly #headers: Headers;
  readonly #reader: AnswerReader;
  #isEnded = false;

  constructor(call: CallSpan, response: Response, options: ModelCallOptions) {
    this.#call = call;
    this.#options = options;
    this.#status = response.status;
    this.#statusText = response.statusText;
    this.#headers = response.headers;
    this.#reader = new AnswerReader(bodyKindOf(response.headers.get('content-type') ?? ''), options.content, call);
  }

  bytes(chunk: unknown): void {
    if (!this.#isEnded) this.#read(() => this.#reader.takeBytes(chunk));
  }

  text(text: string): void {
    if (!this.#isEnded) this.#read(() => this.#reader.takeText(text));
  }

  json(value: unknown): void {
    if (!this.#isEnded) this.#read(() => this.#reader.takeJson(value));
  }

  end(how: BodyEnd): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (how.kind === 'read') this.#read(() => this.#reader.finish());
    else if (how.kind === 'given-up') this.#read(() => this.#reader.stopped());
    const tokens = tokensOf(this.#reader.answer);
    // An SDK that repeats a request drops the body of the failed one; for its caller's error, it reads the body.
    const { attempt } = this.#options;
    const take = this.#status >= 400 && how.kind !== 'read' ? attempt.failed : attempt.end;
    take(this.#call, { ...(tokens && { tokens }), ...this.#judge(how), context: this.#context() });
  }

  /** Runs `work` and ignores its errors. An unreadable body is the host's concern; here it only yields fewer facts. */
  #read(work: () => void): void {
    try {
      work();
    } catch {
      // Chunks and documents come from a server and may be anything.
    }
  }

  #judge(how: BodyEnd): OutcomeFields {
    const { answer, malformed, kind, stated } = this.#reader;
    if (this.#status >= 400) return { success: false, error: this.#httpError() };
    if (this.#options.isModelServer) {
      if (answer.error !== undefined && !this.#call.accepts('error-body'))
        return { success: false, error: answer.error };
      if (malformed !== undefined) return { success: false, error: wordless(malformed), issues: ['parse_error'] };
    }
    if (stated !== undefined) return statedEnd(stated);
    if (how.kind === 'broken') return { success: false, error: wordless(stopOf(how.error, this.#call, this.#options)) };
    if (!this.#options.isModelServer) return { success: true };
    if (how.kind === 'read' && kind !== 'document' && !answer.isFinished) return TRUNCATED;
    return answerEnd(answer, this.#reader, this.#call);
  }

  /** Builds an error that the classifier can read: status, headers with the wait, and the error from the body. */
  #httpError(): object {
    const { error } = this.#reader.answer;
    const message = `HTTP ${this.#status} ${this.#statusText}`.trim();
    return {
      name: 'HttpError',
      message,
      status: this.#status,
      headers: this.#headers,
      ...(error !== undefined && { error }),
    };
  }

  #context(): object {
    const { answer } = this.#reader;
    const { host, model, content, request } = this.#options;
    return {
      status: this.#status,
      ...(host !== undefined && { host }),
      ...(answer.finish !== undefined && { finish: answer.finish }),
      ...(answer.model !== undefined && answer.model !== model && { answeredBy: answer.model }),
      ...(content && { request, answer: answer.text }),
    };
  }
}

/** Timers may fire a little early. */
const TIMER_SLACK = 0.98;

/**
 * Returns a time-out error if the SDK's time-out explains the abort, else `error`. SDKs abort after a time-out exactly
 * as a host cancels, so only the elapsed time distinguishes the two.
 */
export function stopOf(
  error: unknown,
  call: CallSpan,
  { signal, timeoutMs }: Pick<ModelCallOptions, 'signal' | 'timeoutMs'>,
): unknown {
  if (!signal?.aborted || timeoutMs === undefined || call.elapsedMs() < timeoutMs * TIMER_SLACK) return error;
  return { name: 'TimeoutError', message: `the request timed out after ${timeoutMs / 1_000} s` };
}

/** Records the error that a request was rejected with. An SDK repeats it unless its host has aborted. */
export function endRejected(error: unknown, call: CallSpan, options: RejectedOptions): void {
  const { signal, attempt, context } = options;
  const stopped = stopOf(error, call, options);
  const take = signal?.aborted && stopped === error ? attempt.end : attempt.failed;
  take(call, { success: false, error: stopped, ...(context && { context }) });
}

interface RejectedOptions extends Pick<ModelCallOptions, 'signal' | 'timeoutMs' | 'attempt'> {
  readonly context?: object | undefined;
}

/** Time for the host to start reading an error's body, which says more than the status. Milliseconds. */
const ERROR_BODY_MS = 1_000;

/** Watcher and clock shared by the calls of one capture. */
export interface Watch {
  readonly responses: ResponseWatcher;
  readonly clock: Clock;
}

/**
 * Watches the body of a response for the call. Ends immediately if there is no body. Ends an error response after a
 * second if the host has not read its body. A successful answer that is never read is not recorded. Never throws.
 */
export function watchModelCall(response: Response, open: CallSpan, watch: Watch, options: ModelCallOptions): void {
  try {
    open.readHeaders(response.headers);
    const call = new ModelCall(open, response, options);
    if (response.body === null) call.end({ kind: response.status >= 400 ? 'given-up' : 'read' });
    else if (!watch.responses.watch(response, call)) call.end({ kind: 'given-up' });
    else if (response.status >= 400) {
      watch.clock.after(ERROR_BODY_MS, () => call.end({ kind: 'given-up' }), { background: true });
    }
  } catch {
    // A mock that is no real response: it arrived without an error, and more is not known.
    open.end({ success: true });
  }
}

/** Matches the first `model` member that holds a string: inside the text of a prompt, quotes are escaped. */
const MODEL = /"model"\s*:\s*"([^"\\]{1,200})"/;
/** Characters searched at each end of a body: the model is written before or after a long prompt. */
const MODEL_WITHIN = 16_384;

export function modelIn(body: unknown): string | undefined {
  if (typeof body !== 'string') return undefined;
  return (MODEL.exec(body.slice(0, MODEL_WITHIN)) ?? MODEL.exec(body.slice(-MODEL_WITHIN)))?.[1];
}

/** Returns the host alone: credentials, path and query may hold secrets. A password may contain an `@`. */
export function hostOf(url: string): string | undefined {
  return /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#@]+)/i.exec(url)?.[1];
}
