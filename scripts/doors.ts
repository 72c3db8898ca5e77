/** The entries of the package: what `rsi-loop` and `rsi-loop/<name>` are built from. A door is added with its room. */
export const DOORS: Readonly<Record<string, string>> = {
  index: 'src/index.ts',
  parts: 'src/parts.ts',
  node: 'src/node/index.ts',
  testing: 'src/testing/index.ts',
  record: 'src/record/index.ts',
  bench: 'src/bench/index.ts',
  improve: 'src/improve/index.ts',
  config: 'integrations/cli/config/define.ts',
  'sources/drop-folder': 'integrations/sources/drop-folder/index.ts',
  'sources/agents': 'integrations/sources/agents/index.ts',
  'sources/import': 'integrations/sources/import/index.ts',
  models: 'integrations/models/index.ts',
  'sources/fastify': 'integrations/sources/fastify/index.ts',
  dashboard: 'integrations/dashboard/index.ts',
  notify: 'integrations/notify/index.ts',
  'clients/fetch': 'integrations/clients/fetch.ts',
  'clients/tools': 'integrations/clients/tools.ts',
  'clients/mcp': 'integrations/clients/mcp.ts',
  'clients/anthropic': 'integrations/clients/anthropic.ts',
  'clients/ai-sdk': 'integrations/clients/ai-sdk.ts',
  'clients/langchain': 'integrations/clients/langchain.ts',
  'clients/openai-agents': 'integrations/clients/openai-agents.ts',
  'clients/otlp': 'integrations/clients/otlp.ts',
  'sources/opentelemetry': 'integrations/sources/opentelemetry.ts',
};

/** The name users import a door by. */
export function importName(door: string): string {
  return door === 'index' ? 'rsi-loop' : `rsi-loop/${door}`;
}
