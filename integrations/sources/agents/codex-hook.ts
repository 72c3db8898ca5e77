import { given, nameOf, rowOf } from './body.js';
import { readHook, sayContext } from './claude-hook.js';
import type { AgentEvent, HookFormat } from './event.js';

/** The hooks of Codex (`hooks.json`, with the events of Claude Code), and the program it calls at `notify`. */
export const codexHooks: HookFormat = {
  source: 'codex',
  read: (body) => readNotification(body) ?? readHook(rowOf(body)),
  say: sayContext,
  halt: () => undefined,
};

/** `agent-turn-complete`, handed to the program that `notify` names as its last argument. */
function readNotification(body: unknown): AgentEvent | undefined {
  const row = rowOf(body);
  if (row?.type !== 'agent-turn-complete') return undefined;
  const session = nameOf(row, 'thread-id') ?? nameOf(row, 'turn-id');
  return session === undefined ? undefined : { session, kind: 'turn-ended', ...given({ model: nameOf(row, 'model') }) };
}
