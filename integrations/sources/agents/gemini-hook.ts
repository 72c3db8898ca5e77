import { firstText, given, nameOf, rowOf } from './body.js';
import { sayContext, toolEnded } from './claude-hook.js';
import type { AgentEvent, HookFormat } from './event.js';
import { readToolResponse } from './tool-response.js';

/** Hook format of Gemini CLI; see docs/hooks/reference.md of google-gemini/gemini-cli. */
export const geminiHooks: HookFormat = {
  source: 'gemini-cli',
  read,
  say: sayContext,
  halt: (body, stopReason) =>
    rowOf(body)?.hook_event_name === 'AfterTool' ? { continue: false, stopReason } : undefined,
};

function read(body: unknown): AgentEvent | undefined {
  const row = rowOf(body);
  const session = nameOf(row, 'session_id');
  if (row === undefined || session === undefined) return undefined;
  const about = { session, ...given({ model: nameOf(rowOf(row.llm_request), 'model') }) };
  switch (row.hook_event_name) {
    case 'SessionStart':
      return { ...about, kind: 'session-started', how: nameOf(row, 'source', 'trigger') ?? 'startup' };
    case 'SessionEnd':
      return { ...about, kind: 'session-ended', reason: nameOf(row, 'reason', 'trigger') ?? 'other' };
    case 'BeforeAgent':
      return { ...about, kind: 'prompt-given', ...given({ said: firstText(row, 'prompt') }) };
    case 'AfterAgent':
      return { ...about, kind: 'turn-ended' };
    case 'AfterTool':
      // The failure of a shell command may be visible only in the text for the model.
      return toolEnded(row, about, readResponse(row.tool_response));
    case 'PreCompress':
      return { ...about, kind: 'compacting', trigger: nameOf(row, 'trigger') ?? 'auto' };
    default:
      return undefined;
  }
}

function readResponse(response: unknown): ReturnType<typeof readToolResponse> {
  const result = readToolResponse(response);
  return result.kind === 'done' ? readShellOutput(rowOf(response)?.llmContent) : result;
}

/** Reads `Exit Code: 1` on its own line, which is how the shell tool reports it to the model. */
function readShellOutput(content: unknown): ReturnType<typeof readToolResponse> {
  const code = typeof content === 'string' ? /^Exit Code: (\d+)\s*$/m.exec(content)?.[1] : undefined;
  if (typeof content !== 'string' || code === undefined || code === '0') return { kind: 'done' };
  const said = /^(?:Error|Stderr|Output): (?!\(none\)|\(empty\))(.+)$/m.exec(content)?.[1] ?? '';
  return readToolResponse({ exit_code: Number(code), output: said });
}
