/** Makes supervised calls, five at the same time, until the shared budget refuses three of them. Prints what it spent. */

import { supervise } from '../../../integrations/oversee/index.js';
import { RSILoop } from '../../../src/index.js';

const [, , folder = '', known = 'known'] = process.argv;
const loop = new RSILoop();
const guarded = supervise(loop, { total: { usd: 0.5 }, folder, watch: false });
let spent = 0;
let calls = 0;
await guarded('ask', async ({ child }) => {
  const asks = Array.from({ length: 5 }, () =>
    child('part', async ({ spend }) => {
      for (;;) {
        const usd = 0.001 + (calls++ % 7) / 1_000;
        await spend(
          known === 'known' ? { usd } : {},
          async () => {
            await new Promise((done) => setTimeout(done, 1));
            spent += usd;
          },
          () => ({ usd }),
        );
      }
    }),
  );
  await Promise.allSettled(asks);
}).catch(() => undefined);
process.stdout.write(JSON.stringify({ spent }));
await loop.close();
