/** 100,000 hostile records (cyclic, throwing getters and proxies, BigInt, Symbol, half pairs, `__proto__`): none may throw. */
import { sendHostileInput } from '../observe/hostile-input.js';

const SEEDS = 10;
const CASES = 10_000;

let broken = 0;
for (let seed = 1; seed <= SEEDS; seed++) {
  const report = sendHostileInput(CASES, seed);
  broken += report.broken.length;
  console.log(
    `seed ${seed}: ${report.cases} cases, ${report.taken} taken, ${report.broken.length} broken, longest outcome ${report.longestJson} characters`,
  );
  for (const line of report.broken.slice(0, 5)) console.log(`  ${line}`);
}
console.log(`${SEEDS * CASES} cases, ${broken} broken`);
if (broken > 0) process.exitCode = 1;
