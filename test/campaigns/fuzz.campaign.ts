/**
 * Fuzzes everything that is read or run of strangers: front matter, schemas and values, requests, TypeScript, JavaScript, WASI calls
 * and damaged modules. Watches the host's event loop, memory, open files and processes. `--minutes=N`, default 30, and `--seed=N`.
 * Exits 1 if a case ends late, keeps the host busy, or leaves something behind. The long version of
 * test/integrations/skills/sandboxes/fuzz.slow.test.ts.
 */
import { takeNumbers } from './run-campaigns.js';
import { fuzz } from './sandbox/fuzz.js';

const [minutes = 30] = takeNumbers('minutes');
const [seed = Date.now() % 1_000_000] = takeNumbers('seed');
const { cases, problems, host } = await fuzz(minutes * 60_000, seed);
console.log(`seed ${seed}, ${minutes} minutes: ${JSON.stringify(cases)}`);
console.log(
  `host: loop busy at most ${host.busyMs.toFixed(0)} ms, limits at most ${Math.max(0, host.latestMs).toFixed(0)} ms late, memory +${host.memoryMb.toFixed(0)} MB, ${host.descriptors} files and ${host.processes} processes more than before`,
);
for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
console.log(`${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
