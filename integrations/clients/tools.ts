import { type RSILoop, startCall } from 'rsi-loop';
import { contentText, toolEnd, watchCall } from './watch-call.js';

export interface ToolsOptions {
  /** Where the outcomes come from. Default: the one the loop was given. */
  readonly source?: string;
  readonly session?: string;
  readonly agent?: string;
  /** Keeps what tools are given and what they give in the outcome's context, redacted and cut. Default false. */
  readonly content?: boolean;
}

type Run = (...values: unknown[]) => unknown;

/** What runs a tool: `execute` in the AI SDK and Mastra, `invoke` in LangChain and OpenAI Agents. */
const RUNS = ['execute', 'invoke'] as const;

/**
 * The same tools, each call of them recorded as a task of the tool's name. Takes functions, tools of the AI SDK, LangChain
 * and OpenAI Agents, by name or in a list; what runs nothing is given back as it is. Results and errors are not touched. A
 * result that says it is an error (`isError`, `status: 'error'`) is recorded as a failure, and what a tool calls in turn
 * becomes its child.
 */
export function tools<Tools extends object>(loop: RSILoop, toolMap: Tools, options: ToolsOptions = {}): Tools {
  const isList = Array.isArray(toolMap);
  const wrapped: [string, unknown][] = Object.entries(toolMap).map(([key, tool]) => {
    const name = isList ? (nameOf(tool) ?? `tool ${key}`) : key;
    return [key, wrapTool(loop, name, tool, options)];
  });
  // The same members under the same names, each of the type it had.
  return (isList ? wrapped.map(([, tool]) => tool) : Object.fromEntries(wrapped)) as Tools;
}

function wrapTool(loop: RSILoop, name: string, tool: unknown, options: ToolsOptions): unknown {
  if (typeof tool === 'function') return dressed(captured(loop, name, tool as Run, undefined, options), tool);
  if (typeof tool !== 'object' || tool === null) return tool;
  const runs = RUNS.find((key) => typeof Reflect.get(tool, key) === 'function');
  if (runs === undefined) return tool;
  const run = captured(loop, name, Reflect.get(tool, runs) as Run, tool, options); // tested to be a function
  const descriptor = { value: run, writable: true, configurable: true };
  const prototype: object | null = Object.getPrototypeOf(tool);
  // An instance keeps its fields and methods behind the new one; a plain object is copied, since hosts spread and print it.
  if (prototype !== Object.prototype && prototype !== null) return Object.create(tool, { [runs]: descriptor });
  return Object.create(prototype, {
    ...Object.getOwnPropertyDescriptors(tool),
    [runs]: { ...descriptor, enumerable: true },
  });
}

function captured(loop: RSILoop, name: string, run: Run, owner: unknown, options: ToolsOptions): Run {
  const { source, session, agent, content = false } = options;
  return function tool(this: unknown, ...values: unknown[]) {
    const call = startCall(loop, { task: name, tool: name, source, session, agent });
    return watchCall(
      call,
      () => run.apply(owner ?? this, values),
      (result) => ({
        ...toolEnd(result),
        ...(content && { context: { input: values[0], output: shown(result) } }),
      }),
    );
  };
}

function shown(result: unknown): unknown {
  const words = typeof result === 'object' && result !== null ? contentText(Reflect.get(result, 'content')) : undefined;
  return words ?? result;
}

/** Name, length and whatever was hung on the function: some frameworks read schemas from there. */
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
