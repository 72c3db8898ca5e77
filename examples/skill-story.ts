import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Json, RSILoop } from 'rsi-loop';
import { skillTools } from 'rsi-loop/clients/skills';
import { openSkills } from 'rsi-loop/skills';
import { lessons, skillWriter } from './skill-writer.js';

const folder = mkdtempSync(join(tmpdir(), 'skills-'));
const loop = new RSILoop();
const skills = openSkills(loop, { folder, model: skillWriter() });

for (const { directive, examples } of lessons) {
  const learned = await skills.learn(directive, { examples });
  if (learned.kind === 'working') console.log(`${learned.name}: learned in ${learned.attempts} attempts`);
}

// An agent with two tasks. Without a skill, it adds up badly and writes dates well.
const TASKS = {
  total: { ask: 'total the amounts of this CSV', input: { csv: 'a,1\nb,2' }, wanted: '3', risk: 0.6 },
  letter: { ask: 'write the date of this invoice', input: { date: '2026-01-03' }, wanted: '3 January', risk: 0.2 },
};
async function work(task: keyof typeof TASKS, isDone: (done: number) => boolean) {
  const { ask, input, wanted, risk } = TASKS[task];
  for (let done = 0; done < 5_000 && !isDone(done); done++) {
    const answer = loop.run(task, async ({ given }) => {
      const [tool] = skillTools(skills, await skills.nearest(ask, { given }));
      const text = tool ? JSON.stringify(await tool.run(input)) : Math.random() < risk ? 'unsure' : wanted;
      if (!text.includes(wanted)) throw new Error('the answer is wrong');
    });
    await answer.catch(() => {});
    if (done % 25 === 24) await loop.runCycle();
  }
}

// Each skill is offered to half of the tasks, until its trial shows whether it helps.
for (const [name, task] of [
  ['csv-total', 'total'],
  ['invoice-date', 'letter'],
] as const) {
  await work(task, (done) => done === 50);
  const { id } = await skills.prove(name, { task, by: 'ada' });
  await loop.approve(id, { by: 'ada' });
  const status = () => loop.fixes().find((fix) => fix.id === id)?.status;
  await work(task, () => status() === 'confirmed' || status() === 'rolled-back');
  console.log(`${name}: ${status()}`);
}

// A case from production is added to the tests of the third skill. It fails, and the model changes a copy.
const file = join(folder, 'title-slug', 'tests.json');
const suite = JSON.parse(readFileSync(file, 'utf8')) as { tests: Json[] };
const found = { input: { title: ' News 9' }, output: { slug: 'news-9' } };
writeFileSync(file, JSON.stringify({ ...suite, tests: [...suite.tests, found] }));
console.log(`title-slug: ${(await skills.test('title-slug')).failures[0]?.problem}`);
const { kind } = await skills.mutate('title-slug', 'ignore spaces at both ends');
console.log(`title-slug: the child is ${kind}`);
for (const { name, version, role } of await skills.tree()) console.log(`${name} ${version} ${role}`);
await skills.close();
await loop.close();
