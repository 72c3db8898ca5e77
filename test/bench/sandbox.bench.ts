/** Time of one call of a program in the sandbox, beside the same function called directly. */
import { setTimeout as pause } from 'node:timers/promises';
import { QuickJsSandbox } from 'rsi-loop/sandbox';

const program = { language: 'javascript', code: 'export default ({ a, b }) => ({ sum: a + b })', hash: 'sum' } as const;
const direct = ({ a, b }: { readonly a: number; readonly b: number }) => ({ sum: a + b });
const sandbox = new QuickJsSandbox();

const call = async (index: number, memoryBytes = 64 << 20): Promise<number> => {
  const started = performance.now();
  const answer = await sandbox.run(program, { a: index, b: 1 }, { limits: { memoryBytes } });
  const took = performance.now() - started;
  if (answer.kind !== 'answer') throw new Error(answer.message);
  return took;
};
const show = (name: string, times: readonly number[], most?: number): void => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(3);
  console.log(
    `${name}: median ${at(0.5)} ms, fastest ${at(0)}, 95th percentile ${at(0.95)}${most ? ` (at most ${most} wanted)` : ''}`,
  );
};

for (let index = 0; index < 50; index += 1) await call(index);
let sum = 0;
const started = performance.now();
for (let index = 0; index < 1e6; index += 1) sum += direct({ a: index, b: 1 }).sum;
console.log(`bare function call: ${((performance.now() - started) / 1e6).toFixed(6)} ms (${sum > 0})`);

const warm: number[] = [];
for (let index = 0; index < 300; index += 1) {
  await pause(10);
  warm.push(await call(index));
}
show('prepared instance, calls 10 ms apart', warm, 0.3);

const fresh: number[] = [];
for (let index = 0; index < 300; index += 1) {
  await pause(10);
  // Another limit of memory than the one that was prepared for.
  fresh.push(await call(index, index % 2 === 0 ? 48 << 20 : 40 << 20));
}
show('instance created in the call', fresh, 3);

const next: number[] = [];
for (let index = 0; index < 300; index += 1) next.push(await call(index));
show('one call right after the other', next);
await sandbox.close();
