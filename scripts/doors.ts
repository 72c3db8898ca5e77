/** The entries of the package: what `rsi-loop` and `rsi-loop/<name>` are built from. A door is added with its room. */
export const DOORS: Readonly<Record<string, string>> = {
  index: 'src/index.ts',
  kit: 'src/kit.ts',
  node: 'src/node/index.ts',
  testing: 'src/testing/index.ts',
  record: 'src/record/index.ts',
  bench: 'integrations/bench/index.ts',
  improve: 'integrations/improve/index.ts',
  prove: 'integrations/prove/index.ts',
  prompts: 'integrations/prompts/index.ts',
  skills: 'integrations/skills/index.ts',
  'skills/core': 'integrations/skills/core.ts',
  'loop-detector': 'integrations/oversee/loop-detector.ts',
  oversee: 'integrations/oversee/index.ts',
  orchestrate: 'integrations/orchestrate/index.ts',
  heal: 'integrations/heal/index.ts',
  sandbox: 'integrations/skills/sandboxes/index.ts',
  config: 'integrations/cli/config/define.ts',
  'sources/drop-folder': 'integrations/sources/drop-folder/index.ts',
  'sources/agents': 'integrations/sources/agents/index.ts',
  'sources/import': 'integrations/sources/import/index.ts',
  models: 'integrations/models/index.ts',
  'sources/http': 'integrations/sources/http/index.ts',
  'sources/fastify': 'integrations/sources/fastify/index.ts',
  dashboard: 'integrations/dashboard/index.ts',
  notify: 'integrations/notify/index.ts',
  'clients/fetch': 'integrations/clients/fetch.ts',
  'clients/tools': 'integrations/clients/tools.ts',
  'clients/mcp': 'integrations/clients/mcp.ts',
  'clients/skills': 'integrations/clients/skills.ts',
  'clients/anthropic': 'integrations/clients/anthropic.ts',
  'clients/ai-sdk': 'integrations/clients/ai-sdk.ts',
  'clients/langchain': 'integrations/clients/langchain.ts',
  'clients/openai-agents': 'integrations/clients/openai-agents.ts',
  'clients/otlp': 'integrations/clients/otlp.ts',
  'stores/postgres': 'integrations/stores/postgres/index.ts',
  'stores/pg-boss': 'integrations/stores/pg-boss/index.ts',
  'sources/redis': 'integrations/sources/redis/index.ts',
  'sources/opentelemetry': 'integrations/sources/opentelemetry.ts',
};

/** Doors whose names may still change in a minor release. */
export const EXPERIMENTAL: ReadonlySet<string> = new Set([
  'kit',
  'improve',
  'heal',
  'oversee',
  'loop-detector',
  'orchestrate',
  'skills/core',
  'stores/pg-boss',
]);

/** The name users import a door by. */
export function importName(door: string): string {
  return door === 'index' ? 'rsi-loop' : `rsi-loop/${door}`;
}
