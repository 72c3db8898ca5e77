import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { RunFolder } from '../../../integrations/orchestrate/index.js';
import { seededRandom } from '../../../src/lib/random.js';
import { type KillReport, killLives } from '../../kill-lives.js';
import { ended, startNode } from '../../run-node.js';
import { brokenRule, randomGraph } from './random-graphs.js';

export interface RunKillReport extends KillReport {
  readonly tasks: number;
  /** Effects that happened again, because a kill came before their receipt. */
  readonly repeated: number;
}

/** Longest way to a kill, in boundaries, and in milliseconds after the first output of a process. */
const MOST_APART = 40;
const MOST_MS = 60;

/**
 * Runs random graphs in processes that are killed until there were so many kills: every second one kills itself at a random
 * boundary, the others are killed by a timer. Each run must end by the rules, with one effect for each receipt. `from`
 * numbers the first run: another one gives other graphs and other moments.
 */
export async function killRuns(program: string, folder: string, least: number, from = 0): Promise<RunKillReport> {
  const random = seededRandom(5 + from);
  const counts = { tasks: 0, repeated: 0 };
  const homeOf = (run: number) => join(folder, String(run));
  const report = await killLives(
    {
      async start(life, isEnough) {
        const run = from + life;
        const home = homeOf(run);
        mkdirSync(home, { recursive: true });
        const isTimed = random() < 0.5;
        const killAt = isTimed || isEnough ? 0 : 1 + Math.floor(random() * MOST_APART);
        const child = startNode([program, home, String(run), String(killAt)], { cwd: folder });
        const end = ended(child);
        if (isTimed && !isEnough) {
          // From the first step on.
          while (!existsSync(join(home, 'effects.log')) && child.exitCode === null && child.signalCode === null)
            await wait(2);
          await wait(random() * MOST_MS);
          child.kill('SIGKILL');
        }
        return end;
      },
      async check(life, { code }) {
        const run = from + life;
        if (code !== 0) return [];
        const { tasks, repeated, broken } = await checkRun(homeOf(run), run);
        counts.tasks += tasks;
        counts.repeated += repeated;
        return broken === undefined ? [] : [broken];
      },
    },
    least,
  );
  return { ...report, ...counts };
}

async function checkRun(home: string, seed: number) {
  const graph = randomGraph(seededRandom(seed), 40);
  const store = new RunFolder(join(home, 'runs'));
  const steps = await store.load('r');
  await store.close();
  const file = join(home, 'effects.log');
  const effects = (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []).map((line) =>
    line.split(' '),
  );
  const done = steps.flatMap((step) => (step.kind === 'done' ? [step] : []));
  const of = (task: string) => effects.filter(([id]) => id === task);
  const wrong = done.find(
    ({ task, attempt }) => of(task).filter(([, number]) => Number(number) === attempt).length !== 1,
  );
  // Attempts only grow, so an effect after the receipt would have a higher number.
  const late = done.find(({ task, attempt }) => of(task).some(([, number]) => Number(number) > attempt));
  const keys = done.find(({ task }) => new Set(of(task).map(([, , key]) => key)).size !== 1);
  const about = wrong ?? late ?? keys;
  const broken = about ? `effects of ${about.task}: ${JSON.stringify(of(about.task))}` : brokenRule(graph, steps, true);
  const repeated = effects.length - new Set(effects.map(([id]) => id)).size;
  return { broken, repeated, tasks: graph.tasks.length };
}
