/** `npm run campaign -- workspace`: the long version of test/node/workspace-faults.test.ts. */
import {
  killWriters,
  patchAndRollBack,
  patchBesideAnEditor,
  raceLinks,
  traverse,
  type WorkspaceReport,
} from '../node/workspace-faults.js';

const only = process.argv.slice(2).map((arg) => arg.replace(/^--/, ''));

async function run(name: string, campaign: () => Promise<WorkspaceReport>): Promise<void> {
  if (only.length > 0 && !only.some((word) => name.includes(word))) return;
  const started = performance.now();
  const { broken, ...counts } = await campaign();
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(`${name}: ${JSON.stringify(counts)}, promises broken: ${broken.length} (${seconds} s)`);
  for (const what of broken.slice(0, 10)) console.log(`  ${what}`);
  if (broken.length > 0) process.exitCode = 1;
}

await run('patch and roll back, people in between', () => patchAndRollBack(10_000, 1));
await run('beside an editor that never rests', () => patchBesideAnEditor(10_000, 1));
await run('the same, waiting for quiet', () => patchBesideAnEditor(100, 2, { quietMs: 100 }));
await run('traversal', traverse);
await run('links raced', () => raceLinks(10_000, 1));
await run('links raced, by path as on other systems', () => raceLinks(10_000, 1, { byPath: true }));
await run('writers killed', () => killWriters(300, 1));
