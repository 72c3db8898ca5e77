import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { openSkills } from 'rsi-loop/skills';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lessons, skillWriter } from '../../../examples/skill-writer.js';
import { runNode } from '../../run-node.js';
import { buildCommand, buildSandbox } from './build-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-skill-story-'));
const server = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  await buildSandbox(folder);
  // The writer of the example answers as a model server.
  const writer = skillWriter();
  server.on({ endpoint: 'chat' }, async ({ messages, response_format: format }) => {
    const wanted = format?.json_schema as { readonly schema: never }; // the request of every skill has a schema
    const { json } = await writer.complete({ messages: messages as never, schema: wanted.schema });
    return { content: JSON.stringify(json) };
  });
  const url = await server.start();
  const remote = {
    provider: 'openai',
    url,
    model: 'gpt-5',
    keyName: 'MODEL_KEY',
    price: { inputUsd: 0, outputUsd: 0 },
  };
  const models = { remote: { ...remote, budget: { maxTokens: 1_000_000, per: 'day' } } };
  writeFileSync(join(folder, 'rsi.config.json'), JSON.stringify({ models }));
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const env = { COLUMNS: '80', HOME: folder, MODEL_KEY: 'sk-test-0000000000000000' };
async function rsi(...args: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await runNode([command, ...args], { cwd: folder, env });
  expect(code, stdout + stderr).toBe(0);
  return stdout;
}

/** An agent that fails less with a skill: it works until its trial has a verdict. */
async function work(until: (loop: RSILoop, done: number) => boolean): Promise<void> {
  const loop = new RSILoop({ store: new FileStore(join(folder, 'rsi_data'), { writer: 'agent0000000' }) });
  const skills = openSkills(loop, { folder: join(folder, '.agents/skills') });
  await loop.ready();
  for (let done = 1; done < 2_000 && !until(loop, done); done++) {
    const answer = loop.run('answer', async ({ given }) => {
      const [skill] = await skills.nearest('total the amounts of this CSV', { given });
      if (!skill && done % 10 < 9) throw new Error('the total is wrong');
    });
    await answer.catch(() => {});
    if (done % 25 === 0) await loop.runCycle();
  }
  await skills.close();
  await loop.close();
}

it('learns, proves, rejects and mutates skills by typed commands', async () => {
  for (const [at, { directive, examples }] of lessons.entries()) {
    writeFileSync(join(folder, `examples-${at}.json`), JSON.stringify(examples));
    expect(await rsi('skill', 'learn', directive, '--examples', `examples-${at}.json`)).toMatch(
      new RegExp(`^${directive}: learned [\\w-]+ in 2\\s+attempts\\n$`),
    );
  }
  expect(await rsi('skill', 'list')).toMatch(
    /^csv-total +working[\s\S]+^invoice-date +working[\s\S]+^title-slug +working/m,
  );
  expect(JSON.parse(await rsi('skill', 'run', 'csv-total', '--input', '{"csv":"a,1\\nb,2"}'))).toEqual({ total: 3 });

  // A trial proves one, and a person rejects another.
  await work((_, done) => done > 50);
  const propose = async (name: string) => {
    const { fix } = JSON.parse(await rsi('skill', 'prove', name, '--task', 'answer', '--json'));
    return fix.id as string;
  };
  const [proven, rejected] = [await propose('csv-total'), await propose('invoice-date')];
  await rsi('reject', rejected, '--reason', 'dates are written by hand');
  await rsi('approve', proven);
  await work((loop) => loop.fixes().some(({ id, status }) => id === proven && status === 'confirmed'));
  expect(await rsi('skill', 'list')).toMatch(/^csv-total +proven[\s\S]+^invoice-date +rejected/m);
  expect(await rsi('skill', 'check', 'csv-total')).toMatch(/^ok +csv-total: proven/);

  // A case from production breaks the third. The model changes a copy.
  const file = join(folder, '.agents/skills/title-slug/tests.json');
  const suite = JSON.parse(readFileSync(file, 'utf8'));
  suite.tests.push({ input: { title: ' News 9' }, output: { slug: 'news-9' } });
  writeFileSync(file, JSON.stringify(suite));
  const { code, stdout } = await runNode([command, 'skill', 'test', 'title-slug'], { cwd: folder, env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^fails +title-slug: open/) });
  expect(await rsi('skill', 'mutate', 'title-slug', 'ignore spaces at both ends')).toMatch(
    /^title-slug: version [0-9a-f]{12} works/,
  );
  expect(await rsi('skill', 'tree', 'title-slug')).toMatch(
    /^title-slug\n {2}1 {2}[0-9a-f]{12} {2}older, failed\n {4}2 {2}[0-9a-f]{12} {2}current, working\n$/,
  );
}, 120_000);
