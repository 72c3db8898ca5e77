import { type RSILoop, startCall } from 'rsi-loop';
import { mustBe, showValue } from 'rsi-loop/kit';
import type { ActionGate } from 'rsi-loop/oversee';
import { copyOf, describedParts } from './described.js';
import { contentText, toolEnd, watchCall } from './watch-call.js';

/** Options of `captureMcp`. */
export interface CaptureMcpOptions {
  /** Source named in the outcomes. Default `mcp`. */
  readonly source?: string;
  readonly session?: string;
  readonly agent?: string;
  /** Stores arguments and results in the outcome's context, redacted and shortened. Default false. */
  readonly content?: boolean;
  /** Declares the descriptions that `listTools` returns as named texts, as `tools` does. Default false. */
  readonly describe?: boolean;
  /**
   * Decides before each call whether it may run, see `actionGate` of `rsi-loop/oversee`. It knows the hints of tools that
   * were listed. Default: every call runs.
   */
  readonly gate?: ActionGate;
}

/** The part of a Model Context Protocol client that is used here. */
interface McpClient {
  callTool(params: never, ...rest: never[]): Promise<unknown>;
}

/**
 * Wraps an MCP client so that each `callTool` is recorded as a task of the tool's name. Results with `isError` are
 * failures, as are protocol errors and time-outs. The host gets results and errors unchanged.
 */
export function captureMcp<Client extends McpClient>(
  loop: RSILoop,
  client: Client,
  { source = 'mcp', session, agent, content = false, describe = false, gate }: CaptureMcpOptions = {},
): Client {
  const isClient = (typeof client === 'object' || typeof client === 'function') && client !== null;
  mustBe(isClient, 'client', showValue(client), 'an MCP client with callTool');
  const hints = new Map<string, unknown>();
  const callTool = (...values: readonly unknown[]) => {
    const params = values[0] as { readonly name?: unknown; readonly arguments?: unknown } | undefined; // any type is possible
    const name = typeof params?.name === 'string' ? params.name : 'unnamed tool';
    const call = startCall(loop, { task: name, tool: name, source, session, agent });
    return watchCall(
      call,
      () => {
        const run = () => Reflect.apply(client.callTool, client, values);
        const waits = gate?.check({ tool: name, input: params?.arguments, annotations: hints.get(name) });
        return waits === undefined ? run() : waits.then(run);
      },
      (result, open) => ({
        ...toolEnd(result, open),
        ...(content && {
          context: { input: params?.arguments, output: contentText((result as { content?: unknown })?.content) },
        }),
      }),
    );
  };
  // Methods run on the client itself, so that its state and its private fields stay in one place.
  const bound = new Map<PropertyKey, { readonly method: unknown; readonly bound: unknown }>();
  return new Proxy(client, {
    get(target, key) {
      if (key === 'callTool') return callTool;
      const method: unknown = Reflect.get(target, key, target);
      if ((describe || gate) && key === 'listTools' && typeof method === 'function') {
        return async (...values: readonly unknown[]) => {
          const answer: unknown = await Reflect.apply(method, target, values);
          if (gate) keepHints(hints, answer);
          return describe ? described(loop, answer) : answer;
        };
      }
      if (typeof method !== 'function' || key === 'constructor') return method;
      let known = bound.get(key);
      if (known?.method !== method) {
        known = { method, bound: method.bind(target) };
        bound.set(key, known);
      }
      return known?.bound;
    },
  });
}

const MAX_TOOLS = 10_000;

/** Keeps the hints of each listed tool. A server that changes them later is not believed. */
function keepHints(hints: Map<string, unknown>, answer: unknown): void {
  for (const tool of toolsIn(answer)?.slice(0, MAX_TOOLS) ?? []) {
    const { name, annotations } = Object(tool) as { readonly name?: unknown; readonly annotations?: unknown }; // any value
    if (typeof name !== 'string' || (hints.size >= MAX_TOOLS && !hints.has(name))) continue;
    const isSame = !hints.has(name) || JSON.stringify(hints.get(name)) === JSON.stringify(annotations);
    hints.set(name, isSame ? annotations : { destructiveHint: true });
  }
}

/** Returns the answer of `listTools` with tunable descriptions. */
function described(loop: RSILoop, answer: unknown): unknown {
  const tools = toolsIn(answer)?.map((tool) => {
    const name: unknown = typeof tool === 'object' && tool !== null ? Reflect.get(tool, 'name') : undefined;
    return typeof name === 'string' ? copyOf(tool as object, describedParts(loop, name, tool as object)) : tool; // an object, as tested
  });
  return tools ? { ...(answer as object), tools } : answer;
}

function toolsIn(answer: unknown): readonly unknown[] | undefined {
  const tools: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'tools') : undefined;
  return Array.isArray(tools) ? tools : undefined;
}
