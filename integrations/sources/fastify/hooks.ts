import { claudeHandler, codexHandler, cursorHandler, geminiHandler } from '../agents/index.js';
import { HOOK, HOOK_ANSWER } from './schemas.js';
import { JSON_TYPE, type Route, type Service } from './service.js';

const HANDLERS = { claude: claudeHandler, codex: codexHandler, gemini: geminiHandler, cursor: cursorHandler } as const;

/** `POST /hooks/claude` and its like: hook bodies of coding agents. Answered at once: an agent is never kept waiting. */
export function hookRoutes({ loop, settings }: Service): readonly Route[] {
  return Object.entries(HANDLERS).map(([name, handlerFor]) => {
    const handle = handlerFor(loop, { clock: settings.clock });
    return {
      method: 'POST',
      url: `/hooks/${name}`,
      summary: `Take the body of a hook of ${name}; gives what the agent is to hear`,
      body: { [JSON_TYPE]: HOOK },
      answers: {
        status: 200,
        description: 'What the agent is to hear; mostly nothing.',
        content: { [JSON_TYPE]: HOOK_ANSWER },
      },
      handler: async (request) => handle(request.body),
    };
  });
}
