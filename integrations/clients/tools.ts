import { type RSILoop, startCall } from 'rsi-loop';
import type { ActionGate } from 'rsi-loop/oversee';
import { copyOf, describedParts } from './described.js';
import { contentText, toolEnd, watchCall } from './watch-call.js';

/** Options of `tools`. */
export interface ToolsOptions {
  /** Source named in the outcomes. Default: the loop's own. */
  readonly source?: string;
  readonly session?: string;
  readonly agent?: string;
  /** Stores the tools' inputs and results in the outcome's context, redacted and shortened. Default false. */
  readonly content?: boolean;
  /**
   * Declares the descriptions of the tools, and of parameters with a JSON schema, as named texts such as `tool.search`
   * and `tool.search.query`. Versions of them can be tried, like those of a prompt. Default false.
   */
  readonly describe?: boolean;
  /**
   * Decides before each call whether it may run, see `actionGate` of `rsi-loop/oversee`. A call that a person has to
   * approve returns a promise. Default: every call runs.
   */
  readonly gate?: ActionGate;
}

type Run = (...values: unknown[]) => unknown;

/** Methods that run a tool: `execute` in the AI SDK and Mastra, `invoke` in LangChain and OpenAI Agents. */
const RUNS = ['execute', 'invoke'] as const;

/**
 * Wraps tools so that each call is recorded as a task of the tool's name. Accepts functions and tools of the AI SDK,
 * LangChain and OpenAI Agents, by name or in a list. Returns anything else as it is. Results and errors are not
 * changed. A result that marks itself as an error (`isError`, `status: 'error'`) is recorded as a failure. Calls made
 * inside a tool become its children.
 */
export function tools<Tools extends object>(loop: RSILoop, toolMap: Tools, options: ToolsOptions = {}): Tools {
  const isList = Array.isArray(toolMap);
  const wrapped: [string, unknown][] = Object.entries(toolMap).map(([key, tool]) => {
    const name = isList ? (nameOf(tool) ?? `tool ${key}`) : key;
    return [key, wrapTool(loop, name, tool, options)];
  });
  // The same members under the same names, each with its original type.
  return (isList ? wrapped.map(([, tool]) => tool) : Object.fromEntries(wrapped)) as Tools;
}

function wrapTool(loop: RSILoop, name: string, tool: unknown, options: ToolsOptions): unknown {
  if (typeof tool === 'function') return dressed(captured(loop, name, tool as Run, undefined, options), tool);
  if (typeof tool !== 'object' || tool === null) return tool;
  const runs = RUNS.find((key) => typeof Reflect.get(tool, key) === 'function');
  if (runs === undefined) return tool;
  const run = captured(loop, name, Reflect.get(tool, runs) as Run, tool, options); // tested to be a function
  const descriptor = { value: run, writable: true, configurable: true };
  const parts = options.describe === true ? describedParts(loop, name, tool) : {};
  const prototype: object | null = Object.getPrototypeOf(tool);
  // A wrapped instance inherits the original's fields and methods. A plain object is copied, since hosts spread and
  // print it.
  if (prototype !== Object.prototype && prototype !== null)
    return Object.create(tool, { ...parts, [runs]: descriptor });
  return copyOf(tool, { ...parts, [runs]: { ...descriptor, enumerable: true } });
}

function captured(loop: RSILoop, name: string, run: Run, owner: unknown, options: ToolsOptions): Run {
  const { source, session, agent, content = false, gate } = options;
  return function tool(this: unknown, ...values: unknown[]) {
    const call = startCall(loop, { task: name, tool: name, source, session, agent });
    return watchCall(
      call,
      () => gated(gate, { tool: name, input: values[0], owner }, () => run.apply(owner ?? this, values)),
      (result, open) => ({
        ...toolEnd(result, open),
        ...(content && { context: { input: values[0], output: contentOf(result) } }),
      }),
    );
  };
}

/** Runs a call when the gate allows it. */
function gated(
  gate: ActionGate | undefined,
  { tool, input, owner }: { readonly tool: string; readonly input: unknown; readonly owner: unknown },
  run: () => unknown,
): unknown {
  const annotations: unknown =
    typeof owner === 'object' && owner !== null ? Reflect.get(owner, 'annotations') : undefined;
  const waits = gate?.check({ tool, input, annotations });
  return waits === undefined ? run() : waits.then(run);
}

function contentOf(result: unknown): unknown {
  const words = typeof result === 'object' && result !== null ? contentText(Reflect.get(result, 'content')) : undefined;
  return words ?? result;
}

/** Copies name, length and all other properties to the wrapper: some frameworks read schemas from there. */
function dressed(wrapper: Run, original: object): Run {
  const { prototype: _, ...descriptors } = Object.getOwnPropertyDescriptors(original) as Record<
    string,
    PropertyDescriptor
  >;
  return Object.defineProperties(wrapper, descriptors);
}

function nameOf(tool: unknown): string | undefined {
  if ((typeof tool !== 'object' && typeof tool !== 'function') || tool === null) return undefined;
  const name: unknown = Reflect.get(tool, 'name');
  return typeof name === 'string' && name !== '' ? name : undefined;
}
