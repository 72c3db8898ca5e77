import { given, nameOf, rowOf } from './body.js';
import { readHook, sayContext } from './claude-hook.js';
import type { AgentEvent, HookFormat } from './event.js';

/**
 * Hook format of Codex (`hooks.json`, with the events of Claude Code), and of the JSON it passes to its `notify`
 * program.
 */
export const codexHooks: HookFormat = {
  source: 'codex',
  read: (body) => readNotification(body) ?? readHook(rowOf(body)),
  say: sayContext,
  halt: () => undefined,
};

/** Reads `agent-turn-complete`, which Codex passes to its `notify` program as the last argument. */
function readNotification(body: unknown): AgentEvent | undefined {
  const row = rowOf(body);
  if (row?.type !== 'agent-turn-complete') return undefined;
  const session = nameOf(row, 'thread-id') ?? nameOf(row, 'turn-id');
  return session === undefined ? undefined : { session, kind: 'turn-ended', ...given({ model: nameOf(row, 'model') }) };
}
