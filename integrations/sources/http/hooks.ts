import { HOOK_FORMATS } from '../agents/formats.js';
import { handlerOf } from '../agents/hooks.js';
import { HOOK, HOOK_ANSWER } from './schemas.js';
import { JSON_TYPE, type Route, type Service } from './service.js';

/**
 * Routes `POST /hooks/claude` and similar for hook bodies of coding agents. They answer immediately, so that an agent
 * never waits.
 */
export function hookRoutes({ loop, settings }: Service): readonly Route[] {
  return Object.entries(HOOK_FORMATS).map(([name, format]) => {
    const handle = handlerOf(format)(loop, { clock: settings.clock });
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
      handler: ({ body }) => handle(body),
    };
  });
}
