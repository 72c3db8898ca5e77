import { claudeCodeHooks } from './claude-hook.js';
import { codexHooks } from './codex-hook.js';
import { cursorHooks } from './cursor-hook.js';
import type { HookFormat } from './event.js';
import { geminiHooks } from './gemini-hook.js';

/** The agents whose hooks are known, by the name they are asked for with. */
export const HOOK_FORMATS: Readonly<Record<string, HookFormat>> = {
  claude: claudeCodeHooks,
  codex: codexHooks,
  gemini: geminiHooks,
  cursor: cursorHooks,
};
