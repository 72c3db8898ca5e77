/** `npm run campaign -- code-decisions`: the long version of test/integrations/improve/code/kill-decisions.slow.test.ts. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { killDecisions } from '../integrations/improve/code/killed-decisions.js';
import { campaigns } from './run-campaigns.js';

const run = campaigns();

for (const verb of ['approve', 'rollback'] as const) {
  await run(`${verb}, killed before and after every call of git`, async () => {
    mkdirSync('.tmp', { recursive: true });
    const work = mkdtempSync(resolve('.tmp', 'decisions-'));
    const result = await killDecisions(work, verb, () => true);
    rmSync(work, { recursive: true, force: true });
    return { ...result };
  });
}
