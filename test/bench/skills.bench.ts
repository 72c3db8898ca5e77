/** Time to open a folder of 1,000 skills, the first time and with its index, and time of a search. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { openSkills } from 'rsi-loop/skills';
import { DEVELOPED, SKILL_TEXTS } from '../campaigns/skills/texts.js';
import { workingSkill } from '../integrations/skills/working-skill.js';

const COUNT = 1_000;
const home = mkdtempSync(join(tmpdir(), 'skills-bench-'));
const folder = join(home, 'skills');
for (let index = 0; index < COUNT; index += 1) {
  const { name, ...texts } = SKILL_TEXTS[index % SKILL_TEXTS.length] ?? { name: 'skill', description: 'a skill' };
  const skill = workingSkill({ ...texts, name: `${name}-${index}` });
  for (const [path, content] of skill.files) {
    const file = join(folder, skill.name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

try {
  const opened: number[] = [];
  for (let time = 0; time < 6; time += 1) {
    const loop = new RSILoop();
    const skills = openSkills(loop, { folder });
    const started = performance.now();
    await skills.ready();
    opened.push(performance.now() - started);
    if (time === 5) await search(skills);
    await skills.close();
    await loop.close();
  }
  const [first = 0, ...later] = opened;
  const sorted = later.sort((a, b) => a - b);
  const [fastest = 0] = sorted;
  console.log(
    `open ${COUNT} skills: median ${(sorted[2] ?? 0).toFixed(0)} ms, fastest ${fastest.toFixed(0)} ms (at most 300 wanted); without an index ${first.toFixed(0)} ms`,
  );
} finally {
  rmSync(home, { recursive: true });
}

async function search(skills: ReturnType<typeof openSkills>): Promise<void> {
  const queries = DEVELOPED.slice(0, 100).map(({ query }) => query);
  await skills.nearest(queries[0] ?? '');
  const started = performance.now();
  for (const query of queries) await skills.nearest(query);
  console.log(`search among ${COUNT} skills: ${((performance.now() - started) / queries.length).toFixed(2)} ms`);
}
