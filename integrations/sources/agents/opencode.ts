import { type RSILoop, reportProblem } from 'rsi-loop';
import { BoundedMap } from 'rsi-loop/kit';
import { RecentIds } from '../recent-ids.js';
import { adviceText } from './answer.js';
import { firstText, given, nameOf, type Row, rowOf } from './body.js';
import type { AgentEvent } from './event.js';
import { AgentSessions, type HookOptions } from './hooks.js';
import { failed, readToolResponse, type ToolResult } from './tool-response.js';

const SOURCE = 'opencode';
/** Maximum number of ended calls remembered. OpenCode sends their parts again whenever anything about them changes. */
const MAX_SEEN = 4_000;
/** Maximum number of sub-agent sessions remembered. */
const MAX_CHILDREN = 500;

/** Functions of an OpenCode plugin that OpenCode calls; only the part used here. */
export interface OpenCodeHooks {
  readonly event: (input: { readonly event: unknown }) => Promise<void>;
  readonly 'chat.message': (input: unknown) => Promise<void>;
  readonly 'experimental.chat.system.transform': (input: unknown, output: unknown) => Promise<void>;
}

/**
 * Returns a plugin for OpenCode that records its events and gives each session its rules. In a file of
 * `.opencode/plugins/`: `export const rsi = openCodePlugin(loop)`. Never throws into OpenCode.
 */
export function openCodePlugin(loop: RSILoop, options: HookOptions = {}): () => Promise<OpenCodeHooks> {
  const plugin = new Plugin(loop, options);
  return async () => ({
    event: async ({ event }) => plugin.take(() => plugin.read(rowOf(event))),
    'chat.message': async (input) => plugin.take(() => plugin.prompt(rowOf(input))),
    'experimental.chat.system.transform': async (input, output) => plugin.advise(rowOf(input), output),
  });
}

class Plugin {
  readonly #loop: RSILoop;
  readonly #sessions: AgentSessions;
  readonly #seen = new RecentIds(MAX_SEEN);
  /** Parent session by sub-agent session. */
  readonly #parents = new BoundedMap<string>(MAX_CHILDREN);
  readonly #hints = new BoundedMap<string>(MAX_CHILDREN);

  constructor(loop: RSILoop, options: HookOptions) {
    this.#loop = loop;
    this.#sessions = new AgentSessions(loop, SOURCE, options);
  }

  take(read: () => AgentEvent | undefined): void {
    try {
      const event = read();
      if (event === undefined) return;
      const { finding } = this.#sessions.take(event);
      // An event has no answer, so the agent gets the hint with its next request.
      if (finding?.isNew && finding.step !== 'observe') this.#hints.put(event.session, finding.message);
    } catch (error) {
      reportProblem(this.#loop, 'hooks', `an event of ${SOURCE} was not taken: ${String(error).slice(0, 200)}`);
    }
  }

  /** Adds the rules before each request to the model, so they survive compaction. */
  advise(input: Row | undefined, output: unknown): void {
    try {
      const system = rowOf(output)?.system;
      const id = nameOf(input, 'sessionID');
      if (id === undefined || !Array.isArray(system)) return;
      const session = this.#parents.get(id) ?? id;
      const { advice } = this.#sessions.take({ session, kind: 'session-started', how: 'request' });
      const text = adviceText(advice);
      if (text !== undefined) system.push(text);
      const hint = this.#hints.take(session);
      if (hint !== undefined) system.push(hint);
    } catch (error) {
      reportProblem(this.#loop, 'hooks', `${SOURCE} was given no rules: ${String(error).slice(0, 200)}`);
    }
  }

  prompt(input: Row | undefined): AgentEvent | undefined {
    const id = nameOf(input, 'sessionID');
    if (id === undefined || this.#parents.has(id)) return undefined;
    return { session: id, kind: 'prompt-given', ...given({ model: nameOf(rowOf(input?.model), 'modelID') }) };
  }

  read(event: Row | undefined): AgentEvent | undefined {
    const about = rowOf(event?.properties);
    const info = rowOf(about?.info);
    const id = nameOf(about, 'sessionID') ?? nameOf(rowOf(about?.part), 'sessionID') ?? nameOf(info, 'id');
    if (id === undefined) return undefined;
    const parent = this.#parents.get(id);
    const base = { session: parent ?? id, ...(parent !== undefined && { agentId: id }) };
    switch (event?.type) {
      case 'session.created': {
        const begunBy = nameOf(info, 'parentID');
        if (begunBy === undefined) return { ...base, kind: 'session-started', how: 'startup' };
        this.#parents.put(id, this.#parents.get(begunBy) ?? begunBy);
        return undefined;
      }
      case 'session.deleted':
        return parent === undefined ? { ...base, kind: 'session-ended', reason: 'deleted' } : undefined;
      case 'session.idle':
        return { ...base, kind: parent === undefined ? 'turn-ended' : 'subagent-ended' };
      case 'session.error':
        return readError(rowOf(about?.error), base, parent !== undefined);
      case 'session.compacted':
        return { ...base, kind: 'compacting', trigger: 'auto' };
      case 'message.part.updated':
        return this.#readPart(rowOf(about?.part), base);
      default:
        return undefined;
    }
  }

  #readPart(part: Row | undefined, base: { readonly session: string }): AgentEvent | undefined {
    const state = rowOf(part?.state);
    const callId = nameOf(part, 'callID');
    const isOver = state?.status === 'completed' || state?.status === 'error';
    if (part?.type !== 'tool' || !isOver || callId === undefined || !this.#seen.add(callId)) return undefined;
    const result = resultOf(state);
    if (result.kind === 'left-out') return undefined;
    const time = rowOf(state.time);
    const durationMs = Number(time?.end) - Number(time?.start);
    return {
      ...base,
      kind: 'tool-ended',
      tool: nameOf(part, 'tool') ?? 'unknown tool',
      callId,
      ...(durationMs >= 0 && { durationMs }),
      input: state.input,
      ...(result.kind === 'failed' ? { failure: result.failure } : { result: state.output }),
    };
  }
}

function resultOf(state: Row): ToolResult {
  if (state.status === 'error') return failed(firstText(state, 'error') ?? '');
  // The shell tool counts as completed for any exit code of its command.
  const exitCode = rowOf(state.metadata)?.exit;
  return readToolResponse(typeof exitCode === 'number' ? { exit_code: exitCode, output: state.output } : {});
}

function readError(
  error: Row | undefined,
  base: { readonly session: string },
  isSubagent: boolean,
): AgentEvent | undefined {
  const name = nameOf(error, 'name') ?? 'UnknownError';
  // A person stopped it.
  if (name === 'MessageAbortedError') return undefined;
  const message = firstText(rowOf(error?.data), 'message') ?? name;
  return { ...base, kind: isSubagent ? 'subagent-ended' : 'turn-ended', failure: { message, name } };
}
