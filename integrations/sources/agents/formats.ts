import { claudeCodeHooks } from './claude-hook.js';
import { codexHooks } from './codex-hook.js';
import { cursorHooks } from './cursor-hook.js';
import type { HookFormat } from './event.js';
import { geminiHooks } from './gemini-hook.js';

/** Hook formats by the name of the agent in the command or address. */
export const HOOK_FORMATS: Readonly<Record<string, HookFormat>> = {
  claude: claudeCodeHooks,
  codex: codexHooks,
  gemini: geminiHooks,
  cursor: cursorHooks,
};
