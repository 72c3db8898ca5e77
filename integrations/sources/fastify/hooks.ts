import { claudeHandler, codexHandler, cursorHandler, geminiHandler } from '../agents/index.js';
import { HOOK, HOOK_ANSWER } from './schemas.js';
import { JSON_TYPE, type Route, type Service } from './service.js';

const HANDLERS = { claude: claudeHandler, codex: codexHandler, gemini: geminiHandler, cursor: cursorHandler } as const;

/**
 * Routes `POST /hooks/claude` and similar for hook bodies of coding agents. They answer immediately, so that an agent
 * never waits.
 */
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
