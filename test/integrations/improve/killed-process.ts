/**
 * Improves a simulated agent and approves what is proven, one run at a time. Writes a line per paid run, and kills itself
 * between two steps: at the n-th boundary of this process, of `any` kind or of a `step` of the log.
 */
import fs, { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { type BenchRun, FileRuns, Suite } from '../../../integrations/bench/index.js';
import { FileLog, type ImprovementStep, iterate } from '../../../integrations/improve/index.js';
import { approve } from '../../../integrations/reports/approve-version.js';
import { findVersion, readImprovements } from '../../../integrations/reports/kept-improvements.js';
import { hashUnit } from '../../../src/lib/hash.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';

const [, , folder = '', killAt = '0', kind = 'any', seed = '1'] = process.argv;
const bench = `${folder}/bench`;
const file = `${folder}/approved.json`;
const paid = `${folder}/paid.log`;

let boundaries = 0;
function boundary(of: 'run' | 'step'): void {
  if ((kind === 'any' || kind === of) && ++boundaries === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

for (const name of ['writeFileSync', 'renameSync'] as const) {
  const real = fs[name] as (...args: unknown[]) => void; // both are only passed through
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      // `appendFileSync` calls it too.
      const isApproval = String(args[0]).startsWith(file);
      if (isApproval) boundary('step');
      real(...args);
      if (isApproval) boundary('step');
    },
  });
}
syncBuiltinESMExports();

const times = new Map<string, number>();
for (const line of existsSync(paid) ? readFileSync(paid, 'utf8').split('\n') : []) {
  times.set(line, (times.get(line) ?? 0) + 1);
}
/** Gains of the texts. */
const GAINS: Readonly<Record<string, number>> = { careful: 0.25, examples: 0.2, hasty: -0.3, polite: 0 };
const suite = new Suite('killed', {
  problems: Array.from({ length: 12 }, (_, index) => ({
    id: `p${index}`,
    input: index,
    split: index % 2 === 0 ? ('open' as const) : ('held-out' as const),
  })),
  run: ({ id }, { prompts }) => {
    const key = `${id} ${Object.values(prompts).sort().join(' ')}`;
    const time = times.get(key) ?? 0;
    times.set(key, time + 1);
    appendFileSync(paid, `${key}\n`);
    const skill = Object.values(prompts).reduce((sum, text) => sum + (GAINS[text] ?? 0), 0.45);
    // The same run has the same result in every process, as long as none is paid twice.
    return hashUnit(`${key} ${time}`, Number(seed)) < skill ? 1 : 0;
  },
  score: Number,
  // Measured durations differ from process to process, and the guard of the comparison reads them.
  clock: new ManualClock(0),
});

class KilledRuns extends FileRuns {
  override async save(run: BenchRun): Promise<void> {
    await super.save(run);
    boundary('run');
  }
}
class KilledLog extends FileLog<ImprovementStep> {
  override async add(id: string, step: ImprovementStep): Promise<void> {
    await super.add(id, step);
    // Every process after a kill begins with this step: a kill after each would never get further.
    if (step.kind !== 'resumed' || kind === 'any') boundary('step');
  }
}

const candidate = (name: string, text: string) => ({
  variant: { name: text, prompts: { [name]: text } },
  hypothesis: `${text} helps`,
});
const ROUNDS = [
  [candidate('system', 'hasty'), candidate('system', 'careful')],
  [candidate('tool', 'polite'), candidate('tool', 'examples')],
];
const [runs, log] = [new KilledRuns(bench), new KilledLog(bench)];
const { best, ended, rounds, archive } = await iterate(suite, {
  propose: ({ round }) => ROUNDS[(round - 1) % 2] ?? [],
  rounds: 4,
  patience: 9,
  draftSteps: 2,
  concurrency: 1,
  comparison: { maxPairs: 60 },
  seed: Number(seed),
  runs,
  log,
});
await Promise.all([runs.close(), log.close()]);
const kept = rounds.findLast(({ isKept }) => isKept)?.version;
const approved = kept === undefined ? 'none' : await approveKept(kept);
const versions = archive.map(({ id, score, runs: count }) => `${id} ${score} ${count}`);
console.log(JSON.stringify({ best, ended, kept: rounds.map(({ isKept }) => isKept), versions, approved }));

async function approveKept(version: string): Promise<object> {
  const found = findVersion(await readImprovements(bench), version);
  const { approvedAt: _, ...approved } = await approve(found, { by: 'ada' }, { folder: bench, file });
  return approved;
}
