/**
 * How long the first failure of a process holds it up, and what `ready` costs: a new process each time. Needs a build.
 * `npx tsup && npm run bench -- first-failure`
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROUNDS = 15;
const entry = resolve('dist/index.js');
if (!existsSync(entry)) throw new Error('there is no dist/: run npx tsup first');

/** A process that records two failures, the first one this long after `ready`. */
const program = (waitMs: number) => `
  const spent = (since) => { const { user, system } = process.cpuUsage(since); return (user + system) / 1000; };
  const begun = process.cpuUsage();
  const { RSILoop } = await import(${JSON.stringify(pathToFileURL(entry).href)});
  const loop = new RSILoop();
  await loop.ready();
  const ready = spent(begun);
  let last = performance.now();
  let pause = 0;
  const look = setInterval(() => { const now = performance.now(); pause = Math.max(pause, now - last - 1); last = now; }, 1);
  if (${waitMs} > 0) await new Promise((resolve) => setTimeout(resolve, ${waitMs}));
  clearInterval(look);
  const timed = (error) => { const start = performance.now(); loop.observer.recordSimple('task', { success: false, error }); return performance.now() - start; };
  const before = process.cpuUsage();
  const first = timed('Something odd happened with the payment of order 17');
  const firstCpu = spent(before);
  console.log(JSON.stringify({ ready, pause, first, firstCpu, second: timed('the connection to host db-7 was lost') }));
  process.exit();
`;

type Times = Readonly<Record<'ready' | 'pause' | 'first' | 'firstCpu' | 'second', number>>;

console.log(`Node ${process.version}, median of ${ROUNDS} processes each, milliseconds`);
for (const [name, waitMs] of [
  ['immediately after ready', 0],
  ['100 ms after ready', 100],
] as const) {
  const runs = Array.from({ length: ROUNDS }, () => {
    const text = execFileSync(process.execPath, ['--input-type=module', '-e', program(waitMs)], { encoding: 'utf8' });
    return JSON.parse(text) as Times; // the line that the program prints
  });
  const median = (of: keyof Times) => {
    const sorted = runs.map((run) => run[of]).sort((one, other) => one - other);
    return (sorted[ROUNDS >> 1] ?? Number.NaN).toFixed(1).padStart(5);
  };
  console.log(
    `first failure ${name.padEnd(24)} ${median('first')} (processor ${median('firstCpu')}), second ${median('second')}, ` +
      `longest pause before ${median('pause')}, processor time until ready ${median('ready')}`,
  );
}
