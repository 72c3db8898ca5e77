import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileLog, type ImprovementStep } from '../../../integrations/improve/index.js';
import { seededRandom } from '../../../src/lib/random.js';
import { type KillReport, killLives } from '../../kill-lives.js';
import { type Ended, runNode } from '../../run-node.js';

export interface ImprovementKillReport extends KillReport {
  readonly paid: number;
  readonly paidTwice: number;
  readonly lost: number;
  readonly halfApplied: number;
}

interface Place {
  /** Bundle of `killed-process.ts`. */
  readonly program: string;
  readonly folder: string;
}

/** Longest way from one kill to the next, in boundaries. */
const MOST_APART = 5;

/**
 * Kills lives of an improvement between two steps until there were so many kills. The first life and every second one is killed after each
 * step of its log and of its approval, the others at random after a run or a step. Each must end like a life without kills.
 */
export async function killBetweenSteps(place: Place, least: number): Promise<ImprovementKillReport> {
  const random = seededRandom(11);
  const counts = { paid: 0, paidTwice: 0, lost: 0, halfApplied: 0 };
  let current = new Life(place, 0);
  const report = await killLives(
    {
      start(life, isEnough) {
        if (current.number !== life) current = new Life(place, life);
        return current.start(isEnough, random);
      },
      async check(_, end) {
        const broken: string[] = [];
        const gone = current.gone();
        if (gone > 0) broken.push(`${gone} stored runs are gone`);
        if (await isHalfApplied(current.home)) {
          counts.halfApplied++;
          broken.push('an approved file without its record');
        }
        if (end.code !== 0) return broken;
        const whole = await current.whole();
        if (end.stdout !== whole) {
          counts.lost++;
          broken.push(`it ends as ${end.stdout}, without kills as ${whole}`);
        }
        const paid = linesOf(join(current.home, 'paid.log'));
        const twice = paid - storedRuns(current.home);
        if (twice !== 0) broken.push(`${twice} runs were paid and not stored, and paid again`);
        counts.paid += paid;
        counts.paidTwice += twice;
        return broken;
      },
    },
    least,
  );
  return { ...report, ...counts };
}

/** Improvement that is killed again and again, in a folder of its own. */
class Life {
  readonly number: number;
  readonly home: string;
  readonly #place: Place;
  readonly #kind: 'step' | 'any';
  #stored = 0;
  #at = 1;
  #left = '';

  constructor(place: Place, number: number) {
    this.#place = place;
    this.number = number;
    this.home = join(place.folder, `killed-${number}`);
    this.#kind = number % 2 === 1 ? 'step' : 'any';
  }

  start(isEnough: boolean, random: () => number): Promise<Ended> {
    const killAt = this.#kind === 'step' ? this.#nextStep() : 1 + Math.floor(random() * MOST_APART);
    return this.#run(this.home, isEnough ? 0 : killAt, this.#kind);
  }

  /** Returns the number of stored runs that are gone since the last look. */
  gone(): number {
    const before = this.#stored;
    this.#stored = storedRuns(this.home);
    return before - this.#stored;
  }

  /** Returns what a life without kills prints. */
  async whole(): Promise<string> {
    const { code, stdout, stderr } = await this.#run(join(this.#place.folder, `whole-${this.number}`), 0, 'any');
    if (code !== 0) throw new Error(stderr);
    return stdout;
  }

  /** Boundary for the next kill. A process that left nothing new would be killed at the same place again. */
  #nextStep(): number {
    const now = `${this.#stored} ${stateOf(this.home)}`;
    this.#at = now === this.#left ? this.#at + 1 : 1;
    this.#left = now;
    return this.#at;
  }

  #run(home: string, killAt: number, kind: string): Promise<Ended> {
    mkdirSync(home, { recursive: true });
    const { program, folder } = this.#place;
    return runNode([program, home, String(killAt), kind, String(this.number)], { cwd: folder });
  }
}

/** Returns the steps of a life, without those of processes that continue, and whether the version is written. */
function stateOf(home: string): string {
  const folder = join(home, 'bench');
  const logs = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('improve-')) : [];
  const steps = logs.flatMap((name) => {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    return lines.filter((line) => line.includes('"step"') && !line.includes('"resumed"'));
  });
  return `${steps.length} ${existsSync(join(home, 'approved.json'))}`;
}

function linesOf(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

function storedRuns(home: string): number {
  const folder = join(home, 'bench');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^[0-9a-f]+\.jsonl$/.test(name)) : [];
  return files.reduce(
    (sum, name) => sum + (readFileSync(join(folder, name), 'utf8').match(/"problemId"/g)?.length ?? 0),
    0,
  );
}

/** Returns whether there is an approved version that is not whole, or that the log does not know. */
async function isHalfApplied(home: string): Promise<boolean> {
  const file = join(home, 'approved.json');
  if (!existsSync(file)) return false;
  const { version } = JSON.parse(readFileSync(file, 'utf8'));
  const log = new FileLog<ImprovementStep>(join(home, 'bench'));
  const [id = ''] = await log.list();
  const records = (await log.load(id)).filter((step) => step.kind === 'approved' && step.version === version);
  return records.length !== 1;
}
