import { type CallSpan, type OutcomeFields, type RSILoop, startCall } from 'rsi-loop';
import { isInterrupt, LISTENING, type Listening, messageEnd } from './langchain-runs.js';
import { OpenCalls, quietly } from './open-calls.js';
import { isRow, type Row, rowOf, text } from './read-fields.js';
import { contentText, failedWith, toolEnd } from './watch-call.js';
import { wordless } from './wordless.js';

export { type LangChainMiddlewareOptions, langchainMiddleware } from './langchain-middleware.js';

/** Options of the callback handler for LangChain. */
export interface LangChainOptions {
  /** Source named in the outcomes. Default `langchain`. */
  readonly source?: string;
  readonly session?: string;
  readonly agent?: string;
  /**
   * Stores prompts, answers, tool inputs and tool outputs in the outcome's context, redacted and shortened. Default
   * false.
   */
  readonly content?: boolean;
}

/**
 * Creates a callback handler for LangChain and LangGraph: `callbacks: [langchainHandler(loop)]`. The outermost run is a
 * task of its name. Inside it each model call is a child `model_call`, and each tool and retriever a child of its name.
 * Changes nothing and tries no fix. Skips calls that `langchainMiddleware` of the same loop records.
 */
export function langchainHandler(loop: RSILoop, options: LangChainOptions = {}) {
  const runs = new Runs(loop, options);
  return {
    /** @internal */
    [LISTENING]: runs.listening,
    /** With a name LangChain uses the handler as it is; otherwise it would build a class around it at every call. */
    name: 'rsi-loop',
    /** Otherwise LangChain calls handlers from a queue, after the event has passed. */
    awaitHandlers: true,
    ...modelHandlers(runs),
    ...toolHandlers(runs),
    ...chainHandlers(runs),
  };
}

function modelHandlers(runs: Runs) {
  const start = (
    _model: unknown,
    prompts: unknown,
    runId: string,
    parentRunId?: string,
    extra?: Row,
    _tags?: unknown,
    metadata?: Row,
  ) => {
    const params = rowOf(extra?.invocation_params);
    const model = text(metadata?.ls_model_name) ?? text(params.model) ?? text(params.model_name);
    runs.begin(runId, parentRunId, { task: 'model_call', model });
    runs.keepInput(runId, prompts);
  };
  return {
    handleLLMStart: start,
    handleChatModelStart: start,
    handleLLMEnd: (output: unknown, runId: string) =>
      runs.end(
        runId,
        (call) => modelEnd(output, call),
        () => firstGeneration(output)?.text,
      ),
    handleLLMError: (error: unknown, runId: string) => runs.fail(error, runId, failedPlainly),
  };
}

function toolHandlers(runs: Runs) {
  const startAs =
    (unnamed: string) =>
    (
      tool: unknown,
      input: string,
      runId: string,
      parentRunId?: string,
      _tags?: unknown,
      _metadata?: unknown,
      runName?: string,
    ) => {
      const name = text(runName) ?? nameOf(tool) ?? unnamed;
      runs.begin(runId, parentRunId, { task: name, tool: name });
      runs.keepInput(runId, input);
    };
  return {
    handleToolStart: startAs('unnamed tool'),
    handleToolEnd: (output: unknown, runId: string) =>
      runs.end(
        runId,
        (call) => toolEnd(output, call),
        () => contentText(isRow(output) ? output.content : output),
      ),
    handleToolError: (error: unknown, runId: string) => runs.fail(error, runId, failedWith),
    handleRetrieverStart: startAs('retriever'),
    handleRetrieverEnd: (_documents: unknown, runId: string) => runs.end(runId, () => ({ success: true })),
    handleRetrieverError: (error: unknown, runId: string) => runs.fail(error, runId, failedWith),
  };
}

function chainHandlers(runs: Runs) {
  return {
    handleChainStart(
      chain: unknown,
      _inputs: unknown,
      runId: string,
      parentRunId?: string,
      _tags?: unknown,
      _metadata?: unknown,
      _runType?: string,
      runName?: string,
    ) {
      // An inner step fails because something inside it failed, which is recorded there.
      if (parentRunId !== undefined) runs.pass(runId, parentRunId);
      else runs.begin(runId, undefined, { task: text(runName) ?? nameOf(chain) ?? 'chain' });
    },
    handleChainEnd: (_outputs: unknown, runId: string) => runs.end(runId, () => ({ success: true })),
    handleChainError: (error: unknown, runId: string) => runs.fail(error, runId, failedPlainly),
  };
}

/** The open runs of a handler, each with the call that records it. */
class Runs {
  readonly #loop: RSILoop;
  readonly #options: LangChainOptions;
  readonly #calls = new OpenCalls();
  readonly #inputs = new WeakMap<CallSpan, unknown>();
  readonly #taken: Listening['taken'] = new Map();
  readonly listening: Listening = { taken: this.#taken, taskOf: (runId) => this.#calls.parentOf(runId) };

  constructor(loop: RSILoop, options: LangChainOptions) {
    this.#loop = loop;
    this.#options = options;
  }

  begin(
    runId: string,
    parentRunId: string | undefined,
    what: { readonly task: string; readonly tool?: string | undefined; readonly model?: string | undefined },
  ): void {
    const { source = 'langchain', session, agent } = this.#options;
    quietly(() => {
      const around = this.#taken.size > 0 ? startCall(this.#loop, what)?.parent : undefined;
      if (around !== undefined && this.#taken.get(around) === what.task) {
        this.#calls.begin(runId, undefined, parentRunId, around);
        return;
      }
      const parent = this.#calls.parentOf(parentRunId);
      const call = startCall(this.#loop, { ...what, source, session, agent, parent });
      this.#calls.begin(runId, call, parentRunId);
    });
  }

  /** Begins a run that is not recorded itself, only what runs inside it. */
  pass(runId: string, parentRunId: string): void {
    this.#calls.begin(runId, undefined, parentRunId);
  }

  keepInput(runId: string, input: unknown): void {
    const call = this.#options.content ? this.#calls.callOf(runId) : undefined;
    if (call) this.#inputs.set(call, input);
  }

  end(runId: string, fields: (call: CallSpan) => OutcomeFields, output?: () => unknown): void {
    quietly(() => {
      const call = this.#calls.end(runId);
      if (call === undefined) return;
      const context = this.#options.content && { context: { input: this.#inputs.get(call), output: output?.() } };
      call.end({ ...fields(call), ...context });
    });
  }

  fail(error: unknown, runId: string, failed: (error: unknown) => OutcomeFields): void {
    // LangGraph throws interrupts and commands; the run continues later or elsewhere.
    if (isInterrupt(error)) this.#calls.end(runId);
    else this.end(runId, () => failed(error));
  }
}

function failedPlainly(error: unknown): OutcomeFields {
  return { success: false, error: wordless(error) };
}

function modelEnd(output: unknown, call: CallSpan): OutcomeFields {
  const message = firstGeneration(output)?.message;
  const usage = rowOf(rowOf(output).llmOutput).tokenUsage;
  return messageEnd(message, call, isRow(usage) ? usage : undefined);
}

function firstGeneration(output: unknown): Row | undefined {
  const { generations } = rowOf(output);
  const first: unknown = Array.isArray(generations) ? generations[0] : undefined;
  const generation: unknown = Array.isArray(first) ? first[0] : undefined;
  return isRow(generation) ? generation : undefined;
}

/** Returns the name of a serialized object: its own name, or the last part of its path. */
function nameOf(serialized: unknown): string | undefined {
  const { name, kwargs, id } = rowOf(serialized);
  return text(name) ?? text(rowOf(kwargs).name) ?? (Array.isArray(id) ? text(id.at(-1)) : undefined);
}
