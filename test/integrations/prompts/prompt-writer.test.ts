import { promptWriter } from 'rsi-loop/prompts';
import { ManualClock, type Scripted, ScriptedModel } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { hasSecret } from '../../../integrations/prompts/declared-texts.js';
import { SYSTEM, someQuestion } from './question.js';

const answer = (...texts: readonly string[]): Scripted => ({
  kind: 'json',
  json: { reflection: 'the text asks for no amount', drafts: texts.map((text) => ({ why: 'it asks for it', text })) },
});

async function write(model: ScriptedModel, question = someQuestion(), options = {}) {
  const problems: string[] = [];
  const report = (message: string) => problems.push(message);
  const drafts = promptWriter({ model, name: 'haiku', ...options }).open({
    clock: new ManualClock(),
    hasSecret,
    report,
  });
  await drafts.ask([question]);
  return { drafts: drafts.of(question.pattern.id), problems };
}

describe('a model that writes prompts', () => {
  it('gets recorded words in the user part only, marked as data, with a few failures and successes', async () => {
    const model = new ScriptedModel([answer(`${SYSTEM} State every sum in euros.`)]);
    await write(model);
    const [system, user] = model.requests[0]?.messages ?? [];
    expect(system?.role).toBe('system');
    expect(system?.content).not.toContain('order 17');
    expect(user?.content).toMatch(/\[failure1 (\w{16})\nno amount in the answer to order 17\n\1 failure1\]/);
    expect(user?.content).toContain('the invoice shows 12 euros');
  });

  it('drafts several versions, of which those that say the same count once', async () => {
    const same = `${SYSTEM} State every sum in euros.`;
    const model = new ScriptedModel([answer(same, `${same} `, SYSTEM, 'Be exact, {{customer}} pays you.')]);
    const { drafts } = await write(model);
    expect(drafts.map(({ text }) => text)).toEqual([same, 'Be exact, {{customer}} pays you.']);
  });

  it('combines two versions that were proven on other failures', async () => {
    const [one, other] = [`${SYSTEM} State every sum in euros.`, `${SYSTEM} Name the contract.`];
    const proven = [
      { text: one, version: 'aaaa' },
      { text: other, version: 'bbbb' },
    ];
    const both = `${SYSTEM} State every sum in euros, and name the contract.`;
    const model = new ScriptedModel([answer(both), answer(`${other} Be brief about everything.`)]);
    const { drafts } = await write(model, someQuestion({ text: other, proven }));
    expect(drafts[0]).toMatchObject({ text: both, parents: ['aaaa', 'bbbb'] });
    expect(drafts).toHaveLength(2);
  });

  it('answers prose: no draft, one clear sentence, and the text stays as it is', async () => {
    const model = new ScriptedModel(['Sure! I would ask for the amount.']);
    const { drafts, problems } = await write(model);
    expect(drafts).toEqual([]);
    expect(problems.join()).toMatch(/haiku wrote no text for pattern .*, the text stays as it is: .*not valid JSON/);
  });

  it('has its drafts ordered by a benchmark, and those worse than the text dropped', async () => {
    const texts = ['Good', 'Useless', 'Harmful'].map((word) => `${SYSTEM} ${word} words for every single answer.`);
    const model = new ScriptedModel([answer(...texts.toReversed())]);
    const problems = Array.from({ length: 20 }, (_, index) => `problem ${index}`);
    const runs: string[] = [];
    const solve = async (problem: string, text: string) => {
      runs.push(text);
      const number = Number(problem.slice(8));
      return text.includes('Good') ? number % 10 > 0 : text.includes('Harmful') ? number % 2 > 0 : number % 10 > 2;
    };
    const { drafts } = await write(model, someQuestion(), { screen: { problems, solve, runs: 240 } });
    expect(drafts.map(({ text }) => text)).toEqual([texts[0]]);
    expect(runs.length).toBeLessThanOrEqual(240);
  });

  it('refuses a number of drafts that it cannot make', () => {
    expect(() => promptWriter({ model: new ScriptedModel([]), drafts: 9 })).toThrow('drafts is 9: give a whole number');
  });
});
