import { amountOf, firstText, given, nameOf, parsed, type Row, rowOf } from './body.js';
import { toolEnded } from './claude-hook.js';
import type { AgentEvent, AgentFailure, HookAnswer, HookFormat } from './event.js';
import { failed, readToolResponse } from './tool-response.js';

/** Hook format of Cursor; see https://cursor.com/docs/agent/hooks. */
export const cursorHooks: HookFormat = { source: 'cursor', read, say, halt: () => undefined };

function say(body: unknown, text: string): HookAnswer | undefined {
  const event = rowOf(body)?.hook_event_name;
  return event === 'sessionStart' || event === 'postToolUse' ? { additional_context: text } : undefined;
}

function read(body: unknown): AgentEvent | undefined {
  const row = rowOf(body);
  const session = nameOf(row, 'conversation_id', 'session_id');
  if (row === undefined || session === undefined) return undefined;
  const about = { session, ...given({ model: nameOf(row, 'model') }) };
  switch (row.hook_event_name) {
    case 'sessionStart':
      return { ...about, kind: 'session-started', how: 'startup' };
    case 'sessionEnd':
      return { ...about, kind: 'session-ended', reason: nameOf(row, 'reason') ?? 'other' };
    case 'beforeSubmitPrompt':
      return { ...about, kind: 'prompt-given', ...given({ said: firstText(row, 'prompt') }) };
    case 'postToolUse':
      return toolEnded(row, about, readToolResponse(row.tool_output), parsed(row.tool_output));
    case 'postToolUseFailure':
      // A person's no is not a failure of the agent.
      if (row.is_interrupt === true || row.failure_type === 'permission_denied') return undefined;
      return toolEnded(row, about, failed(firstText(row, 'error_message', 'error') ?? String(row.failure_type ?? '')));
    case 'subagentStop':
      return {
        ...about,
        kind: 'subagent-ended',
        ...given({ agentType: nameOf(row, 'subagent_type'), durationMs: amountOf(row, 'duration', 'duration_ms') }),
        ...failureIn(row, 'the subagent failed'),
      };
    case 'preCompact':
      return { ...about, kind: 'compacting', trigger: nameOf(row, 'trigger') ?? 'auto' };
    case 'stop':
      return row.status === 'aborted'
        ? undefined
        : { ...about, kind: 'turn-ended', ...failureIn(row, 'the agent loop failed') };
    default:
      return undefined;
  }
}

function failureIn(row: Row, unnamed: string): { readonly failure?: AgentFailure } {
  return row.status === 'error' ? { failure: { message: firstText(row, 'error_message') ?? unnamed } } : {};
}
