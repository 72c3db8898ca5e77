import { describeThrown, isObject } from 'rsi-loop/kit';
import type { Supervised } from '../supervised.js';
import type { CallAccount, OpenModelCall } from './call-account.js';

/** Returns the callbacks and the signal of a run for LangChain and LangGraph. */
export function langchainConfig(run: Pick<Supervised, 'note' | 'signal'>, account: CallAccount) {
  const models = new Map<string, OpenModelCall>();
  const tools = new Map<string, { readonly tool: string; readonly input: unknown }>();
  const begin = async (
    _model: unknown,
    _prompts: unknown,
    runId: string,
    _parent?: string,
    extra?: unknown,
    _tags?: unknown,
    metadata?: unknown,
  ) => {
    models.set(runId, await account.open(modelName(extra, metadata)));
  };
  const end = (runId: string, usage?: unknown) => {
    models.get(runId)?.end(usage);
    models.delete(runId);
  };
  const note = (runId: string, ended: { readonly result?: unknown; readonly error?: string }) => {
    const call = tools.get(runId);
    tools.delete(runId);
    if (call) run.note({ ...call, ...ended });
  };
  const handler = {
    name: 'rsi-loop-oversee',
    awaitHandlers: true,
    // A call that does not fit must not begin.
    raiseError: true,
    handleLLMStart: begin,
    handleChatModelStart: begin,
    handleLLMEnd: (output: unknown, runId: string) => end(runId, usageOf(output)),
    handleLLMError: (_error: unknown, runId: string) => end(runId),
    handleToolStart: (
      tool: unknown,
      input: string,
      runId: string,
      _parent?: string,
      _tags?: unknown,
      _metadata?: unknown,
      runName?: string,
    ) => void tools.set(runId, { tool: runName ?? nameOf(tool), input }),
    handleToolEnd: (output: unknown, runId: string) => note(runId, { result: contentOf(output) }),
    handleToolError: (error: unknown, runId: string) => note(runId, { error: describeThrown(error) }),
  };
  return { callbacks: [handler], signal: run.signal };
}

function modelName(extra: unknown, metadata: unknown): string {
  const params = isObject(extra) && isObject(extra.invocation_params) ? extra.invocation_params : {};
  const listed = isObject(metadata) ? metadata.ls_model_name : undefined;
  const found = [listed, params.model, params.model_name].find((name) => typeof name === 'string' && name !== '');
  return typeof found === 'string' ? found : 'the model';
}

/** Returns the usage of an answer: that of its message, or of all generations together. */
function usageOf(output: unknown): unknown {
  if (!isObject(output)) return undefined;
  const first: unknown = Array.isArray(output.generations) ? output.generations.flat()[0] : undefined;
  const message = isObject(first) ? first.message : undefined;
  const own = isObject(message) ? message.usage_metadata : undefined;
  return own ?? (isObject(output.llmOutput) ? output.llmOutput.tokenUsage : undefined);
}

function nameOf(tool: unknown): string {
  if (!isObject(tool)) return 'tool';
  if (typeof tool.name === 'string') return tool.name;
  const last: unknown = Array.isArray(tool.id) ? tool.id.at(-1) : undefined;
  return typeof last === 'string' ? last : 'tool';
}

function contentOf(output: unknown): unknown {
  return isObject(output) && 'content' in output ? output.content : output;
}
