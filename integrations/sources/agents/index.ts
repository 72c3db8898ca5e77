export { type AgentAdapter, type AgentAdapterOptions, agentAdapter, type CompletedTask } from './adapter.js';
export { countFollowed, type RuleFollowed } from './count-followed.js';
export type { HookAnswer } from './event.js';
export {
  claudeHandler,
  codexHandler,
  cursorHandler,
  geminiHandler,
  type HookHandler,
  type HookOptions,
} from './hooks.js';
export { type OpenClawApi, type OpenClawPlugin, openClawPlugin } from './openclaw.js';
export { type OpenCodeHooks, openCodePlugin } from './opencode.js';
