import { type RSILoop, startCall } from 'rsi-loop';
import { contentText, toolEnd, watchCall } from './watch-call.js';

export interface CaptureMcpOptions {
  /** Source named in the outcomes. Default `mcp`. */
  readonly source?: string;
  readonly session?: string;
  readonly agent?: string;
  /** Stores arguments and results in the outcome's context, redacted and shortened. Default false. */
  readonly content?: boolean;
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
  { source = 'mcp', session, agent, content = false }: CaptureMcpOptions = {},
): Client {
  const callTool = (...values: readonly unknown[]) => {
    const params = values[0] as { readonly name?: unknown; readonly arguments?: unknown } | undefined; // any type is possible
    const name = typeof params?.name === 'string' ? params.name : 'unnamed tool';
    const call = startCall(loop, { task: name, tool: name, source, session, agent });
    return watchCall(
      call,
      () => Reflect.apply(client.callTool, client, values),
      (result) => ({
        ...toolEnd(result),
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
