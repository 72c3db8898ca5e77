import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Facts } from '../../../integrations/skills/facts.js';
import { FileSkillFolder } from '../../../integrations/skills/file-skill-folder.js';
import { readSkill } from '../../../integrations/skills/skill-files.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';
import { type KillReport, killLives } from '../../kill-lives.js';
import { ended, runNode, startNode } from '../../run-node.js';

export interface SkillKillReport extends KillReport {
  readonly answers: number;
  /** Answers of the model that were paid again, because the kill came before they were stored. */
  readonly paidAgain: number;
}

/**
 * Kills processes that learn skills at random moments until there were so many kills. After each, every skill in the folder
 * must be whole and the one that was tested. Each life must end with both skills. `seed` chooses the moments.
 */
export async function killWhileLearning(
  program: string,
  folder: string,
  { least, seed = 29 }: { readonly least: number; readonly seed?: number },
): Promise<SkillKillReport> {
  const random = seededRandom(seed);
  const whole = join(folder, 'whole');
  mkdirSync(whole, { recursive: true });
  const started = performance.now();
  const { code, stdout, stderr } = await runNode([program, whole], { cwd: folder });
  if (code !== 0) throw new Error(stderr);
  const takesMs = performance.now() - started;
  const needed = paidIn(whole);
  const counts = { answers: 0, paidAgain: 0 };
  const homeOf = (life: number) => join(folder, `life-${life}`);
  const report = await killLives(
    {
      async start(life, isEnough) {
        mkdirSync(homeOf(life), { recursive: true });
        const child = startNode([program, homeOf(life)], { cwd: folder });
        const end = ended(child);
        if (isEnough) return end;
        const timer = setTimeout(() => child.kill('SIGKILL'), takesMs * (0.3 + 0.7 * random()));
        return end.finally(() => clearTimeout(timer));
      },
      async check(life, end, kills) {
        const faults = await faultsIn(join(homeOf(life), 'skills'));
        if (end.code !== 0) return faults;
        if (end.stdout !== stdout) faults.push(`it ended as ${end.stdout.trim()}`);
        const paid = paidIn(homeOf(life));
        counts.answers += paid;
        counts.paidAgain += paid - needed;
        if (paid - needed > kills) faults.push(`${paid - needed} answers were paid again after ${kills} kills`);
        return faults;
      },
    },
    least,
  );
  return { ...report, ...counts };
}

async function faultsIn(folder: string): Promise<string[]> {
  const files = new FileSkillFolder(folder);
  const facts = new Facts(files, new ManualClock());
  await facts.refresh();
  const faults: string[] = [];
  for (const { name } of await files.scan()) {
    try {
      const skill = readSkill(name, await files.read(name));
      const { tests, code } = skill;
      const { status } = facts.of(name, skill.hash);
      if (status !== 'working' || tests.length !== 8 || !code) faults.push(`${name} is ${status}`);
    } catch (error) {
      faults.push(String(error));
    }
  }
  return faults;
}

function paidIn(home: string): number {
  try {
    return readFileSync(join(home, 'paid.log'), 'utf8').trim().split('\n').length;
  } catch {
    return 0;
  }
}
