/** Worker of the tests, in a thread or a process. Its input says what it does. */
import { serveTask } from '../../../integrations/orchestrate/index.js';

const kept: unknown[] = [];

serveTask(async ({ input, key, results, signal, send, receive, spend }) => {
  switch (input) {
    case 'where':
      return { pid: process.pid, isThread: process.send === undefined };
    case 'crash':
      process.exit(3);
      break;
    case 'throw':
      throw Object.assign(new TypeError('429 Too Many Requests'), { status: 429 });
    case 'grow':
      for (;;) kept.push(new Array(1e5).fill(Math.random()));
    case 'spin':
      for (;;);
    case 'wait':
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    case 'talk':
      await send('listener', 'hello');
      return (await receive()).body;
    case 'listen': {
      const { from } = await receive();
      await send(from, 'and to you');
      return null;
    }
    case 'spend':
      return spend(
        { usd: 0.4 },
        () => 'paid',
        () => ({ usd: 0.3 }),
      );
    default:
      return { key, results, input };
  }
});
