import { type CallSpan, LoopError, type OutcomeFields, type RSILoop, SystemClock, startCall } from 'rsi-loop';
import { type Answer, answerEnd, TRUNCATED } from './answer.js';
import { Attempts, type OneAttempt, SINGLE } from './attempts.js';
import { OpenCalls, quietly } from './open-calls.js';
import { count, isRow, type Row, rowOf, text } from './read-fields.js';
import { failedWith, toolEnd } from './watch-call.js';
import { type BodyEnd, type BodyListener, listenTo } from './watch-response.js';
import { wordless } from './wordless.js';

/** Options of captures of the AI SDK. */
export interface AiSdkOptions {
  /** Source named in the outcomes. Default `ai-sdk`. */
  readonly source?: string;
  readonly session?: string;
  readonly agent?: string;
  /**
   * Stores prompts, answers, tool inputs and tool outputs in the outcome's context, redacted and shortened. Default
   * false.
   */
  readonly content?: boolean;
}

/** One operation of the AI SDK. The SDK publishes the same object at its beginning and at its end. */
interface Message {
  readonly type: string;
  readonly event: Row;
  readonly result?: unknown;
  readonly error?: unknown;
}

const CHANNEL = 'ai:telemetry';

/**
 * Records the operations of the AI SDK 7, which publishes them on Node's diagnostics channel `ai:telemetry`. Each call
 * of `generateText`, `streamText`, `embed` ... is a task, named after its `telemetry.functionId` if it has one. Each
 * call of a model is a child `model_call` with the SDK's attempts, and each tool a child with the tool's name. Nothing is wrapped. Returns a
 * function that stops the capture. If a call sets `recordInputs` or `recordOutputs` to false, the SDK publishes neither
 * results nor the error itself.
 * @throws LoopError `missing-peer` on a platform without diagnostics channels, and if the application has a version
 * before 7, which publishes no calls: use `aiSdkMiddleware` there.
 */
export function captureAiSdk(loop: RSILoop, options: AiSdkOptions = {}): () => void {
  const channels = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel');
  if (channels === undefined) {
    throw new LoopError(
      'missing-peer',
      'this platform has no diagnostics channels: wrap the model with aiSdkMiddleware',
    );
  }
  const version = installedVersion();
  if (version !== undefined && Number.parseInt(version, 10) < PUBLISHES_FROM) {
    throw new LoopError(
      'missing-peer',
      `ai ${version} publishes no calls, ai 7 does (on Node 22 and up): install ai@7, or wrap the model: wrapLanguageModel({ model, middleware: aiSdkMiddleware(loop) })`,
    );
  }
  const listener = new Listener(loop, options);
  const channel = channels.tracingChannel<unknown, object>(CHANNEL);
  const nothing = () => {};
  const handlers = {
    start: (message: object) => quietly(() => listener.start(message as Message)), // the channel's known payload
    asyncEnd: (message: object) => quietly(() => listener.end(message as Message)),
    end: nothing,
    asyncStart: nothing,
    error: nothing,
  };
  channel.subscribe(handlers);
  return () => void channel.unsubscribe(handlers);
}

/** The first version that publishes. */
const PUBLISHES_FROM = 7;

/** Returns the AI SDK version that the running program would load; `undefined` if unknown. */
function installedVersion(): string | undefined {
  try {
    const { createRequire } = globalThis.process.getBuiltinModule('node:module');
    const { version } = createRequire(globalThis.process.argv[1] ?? `${globalThis.process.cwd()}/_`)('ai/package.json');
    return text(version);
  } catch {
    return undefined; // bundled, or started in another way
  }
}

interface OpenCall {
  readonly call: CallSpan;
  readonly attempt: OneAttempt;
}

class Listener {
  readonly #loop: RSILoop;
  readonly #options: AiSdkOptions;
  readonly #calls = new WeakMap<object, OpenCall>();
  readonly #attempts = new Attempts<string>(new SystemClock(), (retries) => 2_000 * 2 ** retries);
  /** Keyed by the id that all parts of one operation carry. */
  readonly #operations = new OpenCalls();

  constructor(loop: RSILoop, options: AiSdkOptions) {
    this.#loop = loop;
    this.#options = options;
  }

  start(message: Message): void {
    const { type, event } = message;
    if (type === 'step') return;
    const callId = text(event.callId);
    const isPart = type === 'languageModelCall' || type === 'executeTool';
    const tool = type === 'executeTool' ? text(rowOf(event.toolCall).toolName) : undefined;
    const { source = 'ai-sdk', session, agent } = this.#options;
    const call = startCall(this.#loop, {
      task: tool ?? (type === 'languageModelCall' ? 'model_call' : (text(event.functionId) ?? type)),
      tool,
      model: tool === undefined ? text(event.modelId) : undefined,
      source,
      session,
      agent: agent ?? text(event.functionId),
      parent: isPart ? this.#operations.parentOf(callId) : undefined,
    });
    if (call === undefined) return;
    const attempt = type === 'languageModelCall' && callId !== undefined ? this.#attempts.begin(() => callId) : SINGLE;
    this.#calls.set(message, { call, attempt });
    if (!isPart && callId !== undefined) this.#operations.begin(callId, call);
  }

  end(message: Message): void {
    const { type, event, result, error } = message;
    const known = this.#calls.get(message);
    if (known === undefined) return;
    const { call, attempt } = known;
    const context = this.#words(message);
    if (type !== 'languageModelCall' && type !== 'executeTool') this.#attempts.settle(text(event.callId) ?? '');
    if (error !== undefined && error !== null) {
      const take = rowOf(error).isRetryable === true ? attempt.failed : attempt.end;
      take(call, { success: false, error: wordless(error), ...context });
    } else if (type === 'languageModelCall') this.#endModelCall(known, result, event, context);
    else if (type === 'executeTool') call.end({ ...toolOutputEnd(result, call), ...context });
    else call.end({ success: true, ...usageOf(result), ...context });
    if (type !== 'languageModelCall' && type !== 'executeTool') this.#operations.end(text(event.callId) ?? '');
  }

  #endModelCall({ call, attempt }: OpenCall, result: unknown, event: Row, context: object): void {
    if (!isRow(result) || !isStream(result.stream)) {
      attempt.end(call, { ...generatedEnd(result, call), ...context });
      return;
    }
    const listener = new PartsListener(call, attempt, this.#options.content ?? false, (error) => {
      // The SDK never ends an operation whose stream breaks.
      this.#operations.end(text(event.callId) ?? '')?.end({ success: false, error: wordless(error) });
    });
    if (!Reflect.set(result, 'stream', listenTo(result.stream, listener))) {
      attempt.end(call, { success: true, ...context });
    }
  }

  #words({ event, result }: Message): { readonly context?: object } {
    if (this.#options.content !== true) return {};
    const { messages, toolCall } = event;
    const { output: ended } = rowOf(result);
    const output = isRow(ended) ? ended.output : answerText(result);
    return { context: { input: isRow(toolCall) ? toolCall.input : messages, output } };
  }
}

/** The part of a model that the middleware uses. */
interface Model {
  readonly modelId: string;
}

/** Options of the middleware for the AI SDK. */
export interface AiSdkMiddlewareOptions<Version extends string> extends AiSdkOptions {
  /**
   * Specification that your version of the AI SDK types middleware by: `v2` in 5, `v3` in 6, `v4` in 7. Default `v4`.
   */
  readonly specificationVersion?: Version;
}

/**
 * Creates middleware for `wrapLanguageModel` of the AI SDK 5, 6 and 7. It is below the SDK's retries and cannot see which
 * attempts belong together, so each one is a task `model_attempt`. Parts of streams pass through unchanged.
 */
export function aiSdkMiddleware<Version extends string = 'v4'>(
  loop: RSILoop,
  options: AiSdkMiddlewareOptions<Version> = {},
) {
  const { source = 'ai-sdk', session, agent, content = false } = options;
  const open = ({ modelId }: Model) =>
    startCall(loop, { task: 'model_attempt', model: modelId, source, session, agent });
  return {
    specificationVersion: (options.specificationVersion ?? 'v4') as Version, // the default of the type is that of the value
    async wrapGenerate<Result>(call: { doGenerate: () => PromiseLike<Result>; params: object; model: Model }) {
      const watched = open(call.model);
      if (watched === undefined) return call.doGenerate();
      try {
        const result = await watched.run(call.doGenerate);
        const words = content
          ? { context: { input: Reflect.get(call.params, 'prompt'), output: answerText(result) } }
          : {};
        quietly(() => watched.end({ ...generatedEnd(result, watched), ...words }));
        return result;
      } catch (error) {
        watched.end({ success: false, error: wordless(error) });
        throw error;
      }
    },
    async wrapStream<Result>(call: { doStream: () => PromiseLike<Result>; params: object; model: Model }) {
      const watched = open(call.model);
      if (watched === undefined) return call.doStream();
      try {
        const result = await watched.run(call.doStream);
        if (isRow(result) && isStream(result.stream)) {
          return { ...result, stream: listenTo(result.stream, new PartsListener(watched, SINGLE, content)) };
        }
        watched.end({ success: true });
        return result;
      } catch (error) {
        watched.end({ success: false, error: wordless(error) });
        throw error;
      }
    },
  };
}

/** Listener that follows the parts of a stream to its end. */
class PartsListener implements BodyListener {
  readonly #call: CallSpan;
  readonly #attempt: OneAttempt;
  readonly #content: boolean;
  readonly #onBreak: (error: unknown) => void;
  readonly #answer: Answer = {};

  constructor(call: CallSpan, attempt: OneAttempt, content: boolean, onBreak: (error: unknown) => void = () => {}) {
    this.#call = call;
    this.#attempt = attempt;
    this.#content = content;
    this.#onBreak = onBreak;
  }

  bytes(part: unknown): void {
    if (!isRow(part)) return;
    if (part.type === 'finish') readEnd(part, this.#answer);
    else if (part.type === 'error') this.#answer.error ??= part.error ?? 'the stream holds an error';
    else if (part.type === 'response-metadata') this.#answer.model = text(part.modelId) ?? '';
    else if (this.#content && part.type === 'text-delta' && (this.#answer.text?.length ?? 0) < MAX_TEXT) {
      this.#answer.text = (this.#answer.text ?? '') + (text(part.delta) ?? '');
    }
  }

  text(): void {}
  json(): void {}

  end(how: BodyEnd): void {
    const { error, isFinished } = this.#answer;
    if (how.kind === 'broken') this.#onBreak(how.error);
    const words = this.#content ? { context: { output: this.#answer.text } } : {};
    const record = (fields: OutcomeFields) => this.#attempt.end(this.#call, { ...fields, ...words });
    if (error !== undefined) record({ success: false, error: wordless(error) });
    else if (how.kind === 'broken') record({ success: false, error: wordless(how.error) });
    else if (how.kind === 'read' && !isFinished) record(TRUNCATED);
    else record(partsEnd(this.#answer, this.#call));
  }
}

const MAX_TEXT = 4_000;

/**
 * Reads finish reason and token counts. In version 5 both are plain values. In 6 and 7 the finish reason holds the
 * SDK's word and the provider's. Each count is an object with a `total` there.
 */
function readEnd(row: Row, answer: Answer): void {
  const { finishReason, usage } = row;
  const finish = isRow(finishReason) ? (text(finishReason.unified) ?? text(finishReason.raw)) : text(finishReason);
  if (finish !== undefined) answer.finish = finish;
  answer.isFinished = true;
  if (!isRow(usage)) return;
  const amount = (value: unknown) => (isRow(value) ? count(value.total) : count(value));
  const [input, output] = [amount(usage.inputTokens), amount(usage.outputTokens)];
  if (input !== undefined) answer.inputTokens = input;
  if (output !== undefined) answer.outputTokens = output;
  const cached = isRow(usage.inputTokens) ? count(usage.inputTokens.cacheRead) : count(usage.cachedInputTokens);
  if (cached !== undefined) answer.cachedInputTokens = cached;
}

function partsEnd(answer: Answer, call: CallSpan, isEmpty = false): OutcomeFields {
  const isBroken = answer.finish === 'error';
  const ended = answerEnd(answer, { isEmpty: isEmpty && !isBroken && !call.accepts('empty-ai-sdk') }, call);
  return isBroken ? { ...ended, success: false, error: 'the model ended with an error' } : ended;
}

function generatedEnd(result: unknown, call: CallSpan): OutcomeFields {
  if (!isRow(result)) return { success: true };
  const answer: Answer = {};
  readEnd(result, answer);
  return partsEnd(answer, call, Array.isArray(result.content) && result.content.every(isEmptyPart));
}

function isEmptyPart(part: unknown): boolean {
  return isRow(part) && part.type === 'text' && typeof part.text === 'string' && !/\S/.test(part.text);
}

function answerText(result: unknown): string | undefined {
  const { content } = rowOf(result);
  return Array.isArray(content) ? content.flatMap((part) => text(rowOf(part).text) ?? []).join('') : undefined;
}

function toolOutputEnd(result: unknown, call: CallSpan): OutcomeFields {
  const output = rowOf(rowOf(result).output);
  return output.type === 'tool-error' ? failedWith(output.error) : toolEnd(output.output, call);
}

/**
 * Returns the tokens of an embedding, which the SDK reports with the operation. Text generation reports them per model
 * call.
 */
function usageOf(result: unknown): Pick<OutcomeFields, 'tokens'> {
  const tokens = count(rowOf(rowOf(result).usage).tokens);
  return tokens === undefined ? {} : { tokens: { input: tokens, output: 0 } };
}

function isStream(value: unknown): value is ReadableStream<unknown> {
  return typeof value === 'object' && value !== null && 'getReader' in value;
}
