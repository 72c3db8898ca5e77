import { EXIT_CODE_LOST } from '../import/tool-error.js';
import { unmarkedFailure } from '../import/unmarked.js';
import { amountOf, firstText, given, nameOf, parsed, type Row, rowOf } from './body.js';
import type { AgentEvent, AgentFailure, HookFormat } from './event.js';
import { failed, readToolResponse, type ToolResult } from './tool-response.js';

/** Hook format of Claude Code; see https://code.claude.com/docs/en/hooks. */
export const claudeCodeHooks: HookFormat = {
  source: 'claude-code',
  read: (body) => readHook(rowOf(body)),
  say: sayContext,
  halt: (body, stopReason) => (isToolEvent(rowOf(body)) ? { continue: false, stopReason } : undefined),
};

/** Events whose answers can add text to the context, in every agent that adopted these names. */
const HEARD: ReadonlySet<string> = new Set([
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'AfterTool',
  'BeforeAgent',
]);

/** Returns an answer in the form of Claude Code, which Codex and Gemini CLI adopted. */
export function sayContext(body: unknown, additionalContext: string): ReturnType<HookFormat['say']> {
  const hookEventName = firstText(rowOf(body), 'hook_event_name');
  if (hookEventName === undefined || !HEARD.has(hookEventName)) return undefined;
  return { hookSpecificOutput: { hookEventName, additionalContext } };
}

function isToolEvent(row: Row | undefined): boolean {
  const event = firstText(row, 'hook_event_name');
  return event === 'PostToolUse' || event === 'PostToolUseFailure';
}

/** Reads a body with the event names of Claude Code, which Codex shares. */
export function readHook(row: Row | undefined): AgentEvent | undefined {
  const session = nameOf(row, 'session_id');
  if (row === undefined || session === undefined) return undefined;
  const about = {
    session,
    ...given({ agentId: nameOf(row, 'agent_id'), agentType: nameOf(row, 'agent_type'), model: nameOf(row, 'model') }),
  };
  switch (row.hook_event_name) {
    case 'SessionStart':
      return { ...about, kind: 'session-started', how: nameOf(row, 'source') ?? 'startup' };
    case 'SessionEnd':
      return { ...about, kind: 'session-ended', reason: nameOf(row, 'reason') ?? 'other' };
    case 'UserPromptSubmit':
      return { ...about, kind: 'prompt-given', ...given({ said: firstText(row, 'prompt') }) };
    case 'PostToolUse':
      return toolEnded(row, about, withLostExitCode(row, readToolResponse(row.tool_response)));
    case 'PostToolUseFailure':
      return row.is_interrupt === true ? undefined : toolEnded(row, about, failed(firstText(row, 'error') ?? ''));
    case 'Stop':
      return { ...about, kind: 'turn-ended' };
    case 'StopFailure':
      return { ...about, kind: 'turn-ended', failure: stopFailure(row) };
    case 'SubagentStop':
      return { ...about, kind: 'subagent-ended' };
    case 'PreCompact':
      return { ...about, kind: 'compacting', trigger: nameOf(row, 'trigger') ?? 'auto' };
    default:
      return undefined;
  }
}

/** Returns a failure if a runner reports one and a filter in its command dropped the exit code. */
function withLostExitCode(row: Row, result: ToolResult): ToolResult {
  const command = firstText(rowOf(parsed(row.tool_input)), 'command');
  if (result.kind !== 'done' || command === undefined) return result;
  const response = parsed(row.tool_response);
  const output = typeof response === 'string' ? response : (firstText(rowOf(response), 'stdout', 'output') ?? '');
  const message = unmarkedFailure(command, output);
  return message === undefined ? result : { kind: 'failed', failure: { message, name: EXIT_CODE_LOST } };
}

/** Returns the event of a call that ended; undefined if its end counts neither as success nor as failure. */
export function toolEnded(
  row: Row,
  about: Pick<AgentEvent, 'session'>,
  result: ToolResult,
  response: unknown = row.tool_response,
): AgentEvent | undefined {
  if (result.kind === 'left-out') return undefined;
  return {
    ...about,
    kind: 'tool-ended',
    tool: nameOf(row, 'tool_name') ?? 'unknown tool',
    ...given({ callId: nameOf(row, 'tool_use_id'), durationMs: amountOf(row, 'duration', 'duration_ms') }),
    input: parsed(row.tool_input),
    ...(result.kind === 'failed' ? { failure: result.failure } : { result: response }),
  };
}

/** Reads the failure of a stop event. `error` holds its kind; the other fields hold the service's message, if any. */
function stopFailure(row: Row): AgentFailure {
  const code = nameOf(row, 'error');
  const said =
    firstText(row, 'error_details') ?? firstText(row, 'last_assistant_message') ?? 'the turn ended with an error';
  return { message: code === undefined || said.includes(code) ? said : `${code}: ${said}`, ...(code && { code }) };
}
