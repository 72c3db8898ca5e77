import type { CallSpan, Clock, OutcomeFields } from 'rsi-loop';
import { judgeFinish, tokensOf } from './answer.js';
import { AnswerReader, bodyKindOf } from './answer-reader.js';
import type { BodyEnd, BodyListener, ResponseWatcher } from './watch-response.js';
import { wordless } from './wordless.js';

export interface ModelCallOptions {
  /** The model that was asked, where the request tells. */
  readonly model: string | undefined;
  /** Keeps the words of request and answer in the outcome's context, redacted and cut. */
  readonly content: boolean;
  readonly request: string | undefined;
  /** Whether the answer should be that of a model: then it is looked into. */
  readonly isModelServer: boolean;
  readonly host: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** After so long the SDK aborts by itself, as far as it tells. */
  readonly timeoutMs: number | undefined;
}

/** Follows the answer of a model server to its end, and records how it went. */
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
    this.#reader = new AnswerReader(bodyKindOf(response.headers.get('content-type') ?? ''), options.content);
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
    this.#call.end({
      ...this.#judge(how),
      ...(tokens && { tokens }),
      context: this.#context(),
    });
  }

  /** A body that cannot be read is the host's matter; here it only says less. */
  #read(work: () => void): void {
    try {
      work();
    } catch {
      // Chunks and documents come from a server and may be anything.
    }
  }

  #judge(how: BodyEnd): Pick<OutcomeFields, 'success' | 'error' | 'issues'> {
    const { answer, malformed, kind } = this.#reader;
    if (this.#status >= 400) return { success: false, error: this.#httpError() };
    if (this.#options.isModelServer) {
      if (answer.error !== undefined) return { success: false, error: answer.error };
      if (malformed !== undefined) return { success: false, error: wordless(malformed), issues: ['parse_error'] };
    }
    if (how.kind === 'broken') return { success: false, error: wordless(stopOf(how.error, this.#call, this.#options)) };
    if (!this.#options.isModelServer) return { success: true };
    if (how.kind === 'read' && kind !== 'document' && !answer.isFinished) return TRUNCATED;
    const judged = judgeFinish(answer.finish);
    return this.#reader.isEmpty && judged.success && judged.issues === undefined ? EMPTY : judged;
  }

  /** In a shape that the classifier reads: status, headers with the wait, and what the body says. */
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

const TRUNCATED: OutcomeFields = {
  success: false,
  error: 'premature close: the stream ended before the answer was complete',
};
const EMPTY: OutcomeFields = { success: false, error: 'the answer is empty', issues: ['empty_response'] };

/** Timers may fire a little early. */
const TIMER_SLACK = 0.98;

/** An SDK whose time is up aborts as a host does that changed its mind: only the time that went by tells them apart. */
export function stopOf(
  error: unknown,
  call: CallSpan,
  { signal, timeoutMs }: Pick<ModelCallOptions, 'signal' | 'timeoutMs'>,
): unknown {
  if (!signal?.aborted || timeoutMs === undefined || call.elapsedMs() < timeoutMs * TIMER_SLACK) return error;
  return { name: 'TimeoutError', message: `the request timed out after ${timeoutMs / 1_000} s` };
}

/** Time for the host to begin reading the body of an error, which says more than its status. */
const ERROR_BODY_MS = 1_000;

/** What follows the calls of one capture. */
export interface Watch {
  readonly responses: ResponseWatcher;
  readonly clock: Clock;
}

/**
 * Watches the body of a response for the call. One without a body ends at once, an error whose body nobody reads after a
 * second; an answer that is fine and never read is not recorded. Never throws.
 */
export function watchModelCall(response: Response, open: CallSpan, watch: Watch, options: ModelCallOptions): void {
  try {
    const call = new ModelCall(open, response, options);
    if (response.body === null) call.end({ kind: 'read' });
    else if (!watch.responses.watch(response, call)) call.end({ kind: 'given-up' });
    else if (response.status >= 400) {
      watch.clock.after(ERROR_BODY_MS, () => call.end({ kind: 'given-up' }), { background: true });
    }
  } catch {
    // A stand-in that is no response by the platform's measure: it came without an error, more is not known.
    open.end({ success: true });
  }
}

/** The first member of that name that holds a text: inside the words of a prompt, quotes are escaped. */
const MODEL = /"model"\s*:\s*"([^"\\]{1,200})"/;
/** Members of a body come in the order they were written: the model stands before or after a long prompt. */
const MODEL_WITHIN = 16_384;

export function modelIn(body: unknown): string | undefined {
  if (typeof body !== 'string') return undefined;
  return (MODEL.exec(body.slice(0, MODEL_WITHIN)) ?? MODEL.exec(body.slice(-MODEL_WITHIN)))?.[1];
}

/** Without credentials, path and query, which may hold secrets; a password may have an `@` in it. */
export function hostOf(url: string): string | undefined {
  return /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#@]+)/i.exec(url)?.[1];
}
