/** `rsi-loop/clients/skills`: skills as tools of other frameworks and over MCP, and an index of the host's own tools. */
export { type IndexToolsOptions, indexTools, type ToolIndex } from './index-tools.js';
export { type ServeSkillsOptions, serveSkills } from './skill-server.js';
export {
  aiSdkTools,
  type CallableSkills,
  langchainTools,
  openaiAgentsTools,
  type SkillTool,
  type SkillToolsOptions,
  skillTools,
  type ToolParameters,
  type ToolSource,
} from './skill-tools.js';
