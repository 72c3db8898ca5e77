/**
 * Overhead of the benchmark harness: processor time per run beside the bare calls of agent and score, with results in memory and
 * on disk, and the memory of 10,000 problems with 50 in flight. Aims: at most 1 ms per problem, 200 MB. Exits 1 above.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { exact } from '../../integrations/bench/checks.js';
import { FileRuns } from '../../integrations/bench/file-runs.js';
import { MemoryRuns } from '../../integrations/bench/memory-runs.js';
import type { Problem } from '../../integrations/bench/problem.js';
import { Suite } from '../../integrations/bench/suite.js';

const COUNT = 10_000;
const CONCURRENCY = 50;
const MOST_MS = 1;
const MOST_MB = 200;

/** Agent that answers after a turn of the event loop; every second answer is wrong, which keeps its text as well. */
let answered = 0;
const agent = async (input: string) => {
  await tick();
  return ++answered % 2 === 0 ? input : `${input}: I am not sure. ${'Perhaps. '.repeat(20)}`;
};

const problems: readonly Problem[] = Array.from({ length: COUNT }, (_, index) => ({
  id: `invoice ${index}`,
  input: `Invoice ${index} of ACME Ltd, ${'a line of goods; '.repeat(30)} total ${index}.50 EUR`,
  expected: `Invoice ${index} of ACME Ltd, ${'a line of goods; '.repeat(30)} total ${index}.50 EUR`,
}));
const suite = new Suite('harness', { problems, run: ({ input }) => agent(String(input)), score: exact() });
const folder = mkdtempSync(join(tmpdir(), 'rsi-harness-'));

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The same calls with a plain pool of workers. */
async function bare(): Promise<void> {
  const score = exact();
  let next = 0;
  const work = async () => {
    for (let index = next++; index < COUNT; index = next++) {
      const problem = problems[index] as Problem;
      await score(await agent(String(problem.input)), problem);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

let missed = false;
let highestMb = 0;
const watch = setInterval(() => {
  highestMb = Math.max(highestMb, process.memoryUsage().rss / 1e6);
}, 20);

await bare();
const bareMs = await milliseconds(bare);
console.log(`bare calls                   ${(bareMs / COUNT).toFixed(3)} ms per problem`);
const files = new FileRuns(folder);
const kinds = [
  ['harness, results in memory', new MemoryRuns()],
  ['harness, results on disk', files],
] as const;
for (const [name, runs] of kinds) {
  const ms = await milliseconds(() => suite.baseline({ repeats: 1, concurrency: CONCURRENCY, runs }));
  const overheadMs = (ms - bareMs) / COUNT;
  missed ||= overheadMs > MOST_MS;
  console.log(`${name.padEnd(28)} ${(ms / COUNT).toFixed(3)} ms, overhead ${overheadMs.toFixed(3)} (aim ${MOST_MS})`);
}
clearInterval(watch);
await files.close();
rmSync(folder, { recursive: true });
missed ||= highestMb > MOST_MB;
console.log(`memory of the process        ${highestMb.toFixed(0)} MB, with tsx and the problems (aim ${MOST_MB})`);
process.exitCode = missed ? 1 : 0;
