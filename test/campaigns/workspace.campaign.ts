/** `npm run campaign -- workspace`: the long version of test/node/workspace-faults.slow.test.ts. */
import { killWriters, patchAndRollBack, patchBesideAnEditor, raceLinks, traverse } from '../node/workspace-faults.js';
import { campaigns } from './run-campaigns.js';

const run = campaigns();

await run('patch and roll back, people in between', () => patchAndRollBack(10_000, 1));
await run('beside an editor that never rests', () => patchBesideAnEditor(10_000, 1));
await run('the same, waiting for quiet', () => patchBesideAnEditor(100, 2, { quietMs: 100 }));
await run('traversal', traverse);
await run('links raced', () => raceLinks(10_000, 1));
await run('links raced, by path as on other systems', () => raceLinks(10_000, 1, { byPath: true }));
await run('writers killed', () => killWriters(300, 1));
