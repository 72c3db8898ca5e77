/** Library that a project may use, and the lines that attach the loop to it. */
export interface Sdk {
  readonly title: string;
  /** Names of its packages, the most specific first. */
  readonly packages: readonly string[];
  /** Lowest major version, if another row is for older ones. */
  readonly fromMajor?: number;
  /** Import of the entry that attaches to it. */
  readonly imports: string;
  /** Lines to add where the user's code creates the client. */
  readonly use: string;
}

/** Lines that every attachment begins with. */
export const LOOP_LINES = [
  "import { RSILoop } from 'rsi-loop';",
  '',
  "const loop = new RSILoop({ store: './rsi_data' });",
  'loop.start();',
] as const;

/** Attachments in the order of the plan. `docs/first-minutes.md` shows each of these lines in a program that runs. */
export const SDKS: readonly Sdk[] = [
  {
    title: 'AI SDK',
    packages: ['ai'],
    fromMajor: 7,
    imports: "import { captureAiSdk } from 'rsi-loop/clients/ai-sdk';",
    use: 'captureAiSdk(loop);',
  },
  {
    title: 'AI SDK',
    packages: ['ai'],
    imports: "import { aiSdkMiddleware } from 'rsi-loop/clients/ai-sdk';",
    use: 'const middleware = aiSdkMiddleware(loop);\nconst wrapped = wrapLanguageModel({ model, middleware });',
  },
  {
    title: 'OpenAI',
    packages: ['openai'],
    imports: "import { captureFetch } from 'rsi-loop/clients/fetch';",
    use: 'const client = new OpenAI({ fetch: captureFetch(loop) });',
  },
  {
    title: 'Anthropic',
    packages: ['@anthropic-ai/sdk'],
    imports: "import { anthropicMiddleware } from 'rsi-loop/clients/anthropic';",
    use: 'const middleware = [anthropicMiddleware(loop)];\nconst client = new Anthropic({ middleware });',
  },
  {
    title: 'LangChain',
    packages: ['langchain', '@langchain/core', '@langchain/langgraph'],
    imports: "import { langchainHandler } from 'rsi-loop/clients/langchain';",
    use: 'const callbacks = [langchainHandler(loop)];',
  },
  {
    title: 'OpenAI Agents',
    packages: ['@openai/agents'],
    imports: "import { agentsProcessor } from 'rsi-loop/clients/openai-agents';",
    use: 'addTraceProcessor(agentsProcessor(loop));',
  },
  {
    title: 'MCP',
    packages: ['@modelcontextprotocol/sdk'],
    imports: "import { captureMcp } from 'rsi-loop/clients/mcp';",
    use: 'captureMcp(loop, client);',
  },
  {
    title: 'Fastify',
    packages: ['fastify'],
    imports: "import { loopRoutes } from 'rsi-loop/sources/fastify';",
    use: 'const token = process.env.RSI_TOKEN;\nawait app.register(loopRoutes, { loop, token });',
  },
  ...['express', 'next'].map((name) => ({
    title: name === 'next' ? 'Next.js' : 'Express',
    packages: [name],
    imports: '',
    use: "await loop.run('your_task', ({ signal }) => work(signal));",
  })),
];
