import { type CallSpan, type OutcomeFields, type RSILoop, startCall } from 'rsi-loop';
import { isRow, type Row, text } from './fields.js';
import { isInterrupt, LISTENING, type Listening, messageEnd } from './langchain-runs.js';
import { OpenCalls, quietly } from './open-calls.js';
import { contentText, failedWith, toolEnd } from './watch-call.js';
import { wordless } from './wordless.js';

export { type LangChainMiddlewareOptions, langchainMiddleware } from './langchain-middleware.js';

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
  const { source = 'langchain', session, agent, content = false } = options;
  const runs = new OpenCalls();
  const taken: Listening['taken'] = new Map();
  const begin = (
    runId: string,
    parentRunId: string | undefined,
    what: { readonly task: string; readonly tool?: string | undefined; readonly model?: string | undefined },
  ) =>
    quietly(() => {
      const around = taken.size > 0 ? startCall(loop, what)?.parent : undefined;
      if (around !== undefined && taken.get(around) === what.task) {
        runs.begin(runId, undefined, parentRunId, around);
        return;
      }
      const call = startCall(loop, { ...what, source, session, agent, parent: runs.parentOf(parentRunId) });
      runs.begin(runId, call, parentRunId);
    });
  const inputs = new WeakMap<CallSpan, unknown>();
  const keepInput = (runId: string, input: unknown) => {
    const call = content ? runs.callOf(runId) : undefined;
    if (call) inputs.set(call, input);
  };
  const end = (runId: string, fields: () => OutcomeFields, output?: () => unknown) =>
    quietly(() => {
      const call = runs.end(runId);
      if (call === undefined) return;
      call.end({ ...fields(), ...(content && { context: { input: inputs.get(call), output: output?.() } }) });
    });
  const fail = (error: unknown, runId: string, failed: (error: unknown) => OutcomeFields) => {
    // LangGraph throws interrupts and commands; the run continues later or elsewhere.
    if (isInterrupt(error)) runs.end(runId);
    else end(runId, () => failed(error));
  };
  const failedPlainly = (error: unknown): OutcomeFields => ({ success: false, error: wordless(error) });

  const startModel = (
    _model: unknown,
    prompts: unknown,
    runId: string,
    parentRunId?: string,
    extra?: Row,
    _tags?: unknown,
    metadata?: Row,
  ) => {
    const params = isRow(extra?.invocation_params) ? extra.invocation_params : undefined;
    const model = text(metadata?.ls_model_name) ?? text(params?.model) ?? text(params?.model_name);
    begin(runId, parentRunId, { task: 'model_call', model });
    keepInput(runId, prompts);
  };
  const listening: Listening = { taken, taskOf: (runId) => runs.parentOf(runId) };
  return {
    /** @internal */
    [LISTENING]: listening,
    /** With a name LangChain uses the handler as it is; otherwise it would build a class around it at every call. */
    name: 'rsi-loop',
    /** Otherwise LangChain calls handlers from a queue, after the event has passed. */
    awaitHandlers: true,
    handleLLMStart: startModel,
    handleChatModelStart: startModel,
    handleLLMEnd: (output: unknown, runId: string) =>
      end(
        runId,
        () => modelEnd(output),
        () => firstGeneration(output)?.text,
      ),
    handleLLMError: (error: unknown, runId: string) => fail(error, runId, failedPlainly),
    handleToolStart(
      tool: unknown,
      input: string,
      runId: string,
      parentRunId?: string,
      _tags?: unknown,
      _metadata?: unknown,
      runName?: string,
    ) {
      const name = text(runName) ?? nameOf(tool) ?? 'unnamed tool';
      begin(runId, parentRunId, { task: name, tool: name });
      keepInput(runId, input);
    },
    handleToolEnd: (output: unknown, runId: string) =>
      end(
        runId,
        () => toolEnd(output),
        () => contentText(isRow(output) ? output.content : output),
      ),
    handleToolError: (error: unknown, runId: string) => fail(error, runId, failedWith),
    handleRetrieverStart(
      retriever: unknown,
      query: string,
      runId: string,
      parentRunId?: string,
      _tags?: unknown,
      _metadata?: unknown,
      runName?: string,
    ) {
      const name = text(runName) ?? nameOf(retriever) ?? 'retriever';
      begin(runId, parentRunId, { task: name, tool: name });
      keepInput(runId, query);
    },
    handleRetrieverEnd: (_documents: unknown, runId: string) => end(runId, () => ({ success: true })),
    handleRetrieverError: (error: unknown, runId: string) => fail(error, runId, failedWith),
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
      if (parentRunId !== undefined) runs.begin(runId, undefined, parentRunId);
      else begin(runId, undefined, { task: text(runName) ?? nameOf(chain) ?? 'chain' });
    },
    handleChainEnd: (_outputs: unknown, runId: string) => end(runId, () => ({ success: true })),
    handleChainError: (error: unknown, runId: string) => fail(error, runId, failedPlainly),
  };
}

function modelEnd(output: unknown): OutcomeFields {
  const message = firstGeneration(output)?.message;
  const usage = isRow(output) && isRow(output.llmOutput) ? output.llmOutput.tokenUsage : undefined;
  return messageEnd(message, isRow(usage) ? usage : undefined);
}

function firstGeneration(output: unknown): Row | undefined {
  const generations: unknown = isRow(output) ? output.generations : undefined;
  const first: unknown = Array.isArray(generations) ? generations[0] : undefined;
  const generation: unknown = Array.isArray(first) ? first[0] : undefined;
  return isRow(generation) ? generation : undefined;
}

/** Returns the name of a serialized object: its own name, or the last part of its path. */
function nameOf(serialized: unknown): string | undefined {
  if (!isRow(serialized)) return undefined;
  const kwargs = isRow(serialized.kwargs) ? text(serialized.kwargs.name) : undefined;
  return text(serialized.name) ?? kwargs ?? (Array.isArray(serialized.id) ? text(serialized.id.at(-1)) : undefined);
}
