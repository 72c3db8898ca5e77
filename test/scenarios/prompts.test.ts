import { namedTexts } from 'rsi-loop/prompts';
import { describe, expect, it } from 'vitest';
import { BASE, BETTER, FILE, NAME, PromptWorld } from './prompt-world.js';

const ANN = { by: 'ann', reason: 'amounts are missing' };

describe("a person's version of a prompt", () => {
  it('is proposed, approved, tried, confirmed, written to its file, and restored byte for byte', async () => {
    const world = new PromptWorld();
    const before = `\uFEFF${BASE}\n`;
    await world.workspace.write(FILE, before, '');
    world.rates = (text) => (text === BETTER ? 0.1 : 0.3);
    expect([...(await world.work(100)).keys()]).toEqual([BASE]);

    const fix = await world.loop.tryPrompt(NAME, BETTER, ANN);
    expect(fix).toMatchObject({ status: 'proposed', unit: 'task', safe: false, reason: ANN.reason, task: 'answer' });
    expect(fix.change).toMatchObject({ kind: 'prompt', name: NAME, by: 'ann', undo: { text: BASE } });
    // It is not approved yet, so that no task gets it, and no time passes it by.
    expect([...(await world.work(50)).keys()]).toEqual([BASE]);
    expect(world.fix.status).toBe('proposed');

    await world.loop.approve(fix.id, { by: 'ann' });
    await world.loop.runCycle();
    const sent = await world.work(800);
    expect([...sent.keys()].sort()).toEqual([BASE, BETTER]);
    expect(world.fix).toMatchObject({ status: 'confirmed', written: { path: FILE } });
    expect(await world.textOfFile()).toBe(`\uFEFF${BETTER}\n`);
    expect(world.loop.prompt(NAME)).toBe(BETTER);
    expect(world.loop.explain(fix.id).lessons[0]).toMatchObject({ set: { prompt: NAME }, result: 'helped' });

    // Later it harms: its holdout notices, and the file has its bytes again.
    world.rates = (text) => (text === BETTER ? 0.8 : 0.1);
    await world.work(2_000);
    expect(world.fix.status).toBe('rolled-back');
    expect(await world.textOfFile()).toBe(before);
    expect([...(await world.work(50)).keys()]).toEqual([BASE]);
    expect(world.problems).toEqual([]);
    await world.loop.close();
  });

  it('is rolled back if it does harm, and cannot be tried again', async () => {
    const world = new PromptWorld();
    world.rates = (text) => (text === BETTER ? 0.8 : 0.3);
    await world.work(100);
    const { id } = await world.loop.tryPrompt(NAME, BETTER, ANN);
    await world.loop.approve(id, ANN);
    await world.work(400);
    expect(world.fix).toMatchObject({ status: 'rolled-back', verdict: { kind: 'failed', why: 'harm' } });
    await expect(world.loop.tryPrompt(NAME, BETTER, ANN)).rejects.toThrow(/failed its trial on 2026-01-05/);
    await world.loop.close();
  });

  it('is stopped by the guard on tokens if it helps only by being three times longer', async () => {
    const world = new PromptWorld();
    world.rates = (text) => (text === BETTER ? 0.2 : 0.3);
    world.tokens = (text) => Math.round((text === BETTER ? 300 : 100) * (0.8 + 0.4 * world.random()));
    await world.work(100);
    const { id } = await world.loop.tryPrompt(NAME, BETTER, ANN);
    await world.loop.approve(id, ANN);
    await world.work(600);
    expect(world.fix).toMatchObject({
      status: 'rolled-back',
      verdict: { kind: 'failed', why: 'guard', guard: 'tokens' },
    });
    await world.loop.close();
  });

  it('builds on a confirmed version, and a rollback restores that one', async () => {
    const world = new PromptWorld();
    const best = `${BETTER} Name the invoice.`;
    world.rates = (text) => (text === best ? 0.05 : text === BETTER ? 0.3 : 0.7);
    await world.work(100);
    await world.loop.approve((await world.loop.tryPrompt(NAME, BETTER, ANN)).id, ANN);
    await world.work(400);
    const second = await world.loop.tryPrompt(NAME, best, ANN);
    expect(second.change).toMatchObject({ undo: { text: BETTER } });
    await world.loop.approve(second.id, ANN);
    await world.work(400);
    expect(world.loop.fixes({ status: 'confirmed' })).toHaveLength(2);
    expect(world.loop.prompt(NAME)).toBe(best);
    await world.loop.rollback(second.id, ANN);
    expect(world.loop.prompt(NAME)).toBe(BETTER);
    await world.loop.close();
  });
});

describe('the text of a session', () => {
  it('is one version in each session, while trials begin and end', async () => {
    const world = new PromptWorld();
    world.session = (index) => `s-${Math.floor(index / 8)}-${Math.floor(world.clock.now() / 43_200_000)}-${index % 2}`;
    world.rates = (text) => (text === BETTER ? 0.05 : 0.6);
    const texts = new Map<string, Set<string>>();
    const begin = world.loop.begin;
    Object.defineProperty(world.loop, 'begin', {
      value: (task: string, options: { session: string }) => {
        const open = begin(task, options);
        const seen = texts.get(options.session) ?? new Set();
        texts.set(options.session, seen.add(open.prompts[NAME] ?? ''));
        return open;
      },
    });
    await world.work(100);
    const { id, unit } = await world.loop.tryPrompt(NAME, BETTER, ANN);
    expect(unit).toBe('session');
    await world.loop.approve(id, ANN);
    await world.work(1_600);
    expect(world.fix.status).toBe('confirmed');
    expect([...texts.values()].filter((seen) => seen.size > 1)).toEqual([]);
    expect([...texts.values()].filter((seen) => seen.has(BETTER)).length).toBeGreaterThan(50);
    await world.loop.close();
  });

  it('stays in another process that learns of it only by the shared store', async () => {
    const world = new PromptWorld();
    world.session = () => 'long';
    await world.work(100);
    const other = world.open();
    await other.ready();
    await other.runCycle();
    const { id } = await world.loop.tryPrompt(NAME, BETTER, ANN);
    await world.loop.apply(id, ANN);
    await world.clock.advance(5_000);
    await other.refresh();
    expect(other.begin('answer', { session: 'long' }).prompts[NAME]).toBe(BASE);
    expect(other.begin('answer', { session: 'new' }).prompts[NAME]).toBe(BETTER);
    expect(world.loop.begin('answer', { session: 'long' }).prompts[NAME]).toBe(BASE);
    // A rollback is for the safety of all sessions, so that it takes effect within them.
    await world.loop.rollback(id, ANN);
    expect(world.loop.begin('answer', { session: 'new' }).prompts[NAME]).toBe(BASE);
    await Promise.all([world.loop.close(), other.close()]);
  });
});

describe('a prompt with bad input', () => {
  it('names what is wrong with a draft, and keeps the text in force', async () => {
    const world = new PromptWorld();
    await world.work(60);
    const trying = (text: string, name = NAME) => world.loop.tryPrompt(name, text, ANN);
    await expect(trying('Be polite.')).rejects.toThrow(
      'support.system stays as it is: the draft lacks {{customer}}, which the program fills in',
    );
    await expect(trying(`${BASE} For {{city}}.`)).rejects.toThrow('adds {{city}}');
    await expect(trying(' ')).rejects.toThrow('the draft is empty');
    await expect(trying(`${BASE}${'x'.repeat(10_000_000)}`)).rejects.toThrow(
      `the draft has ${BASE.length + 10_000_000} characters: give at most 400000`,
    );
    await expect(trying(`${BASE} The key is sk-proj-Abc123Def456Ghi789Jkl012Mno345.`)).rejects.toThrow('a secret');
    await expect(trying(BASE)).rejects.toThrow('the draft is the text in force');
    await expect(trying(BETTER, 'support.sistem')).rejects.toThrow('did you mean support.system?');
    await expect(world.loop.tryPrompt(NAME, BETTER, { by: '' })).rejects.toThrow('tryPrompt needs to know who decides');
    expect(world.loop.prompt(NAME)).toBe(BASE);
    expect(() => world.loop.prompt('support.sistem')).toThrow('did you mean support.system?');
    expect(world.loop.fixes({ kind: 'prompt' })).toEqual([]);
    await world.loop.close();
  });

  it('leaves a file that was edited meanwhile, and says so', async () => {
    const world = new PromptWorld();
    await world.workspace.write(FILE, 'Another text.', '');
    await world.work(60);
    const { id, change } = await world.loop.tryPrompt(NAME, BETTER, ANN);
    await world.loop.apply(id, ANN);
    await world.loop.runCycle();
    expect(await world.textOfFile()).toBe('Another text.');
    const version = 'version' in change ? change.version.slice(0, 8) : '';
    expect(world.problems.join()).toContain(`so version ${version} was not written: rsi explain ${id} shows it`);
    expect(world.problems).toHaveLength(1);
    await world.loop.close();
  });

  it('keeps the text of a process that has another one under the same name, and draws no arm there', async () => {
    const world = new PromptWorld();
    await world.work(60);
    const { id } = await world.loop.tryPrompt(NAME, BETTER, ANN);
    await world.loop.approve(id, ANN);
    await world.loop.runCycle();
    expect(world.fix.status).toBe('trial');
    const other = world.open({ prompts: namedTexts({ [NAME]: { text: 'Hello {{customer}}.' } }) });
    await other.ready();
    const { prompts, arms } = other.begin('answer');
    expect([prompts[NAME], arms]).toEqual(['Hello {{customer}}.', []]);
    expect(world.problems.join()).toMatch(/this process has version \w{8} of support\.system, and version \w{8} was/);
    await Promise.all([world.loop.close(), other.close()]);
  });

  it('hands out the text before to the holdout, when the host already has the new one', async () => {
    const world = new PromptWorld({ holdout: 0.5 });
    world.rates = (text) => (text === BETTER ? 0.05 : 0.6);
    await world.work(60);
    const { id } = await world.loop.tryPrompt(NAME, BETTER, ANN);
    await world.loop.approve(id, ANN);
    await world.work(300);
    expect(world.fix.status).toBe('confirmed');
    await world.loop.close();
    world.loop = world.open({ prompts: namedTexts({ [NAME]: { text: BETTER, file: FILE } }) });
    await world.loop.ready();
    const sent = await world.work(400);
    expect(sent.get(BASE)).toBeGreaterThan(100);
    expect(sent.get(BETTER)).toBeGreaterThan(100);
    await world.loop.close();
  });

  it('refuses texts that no task could use, when the loop is created', () => {
    const creating = (text: unknown) => () =>
      new PromptWorld({ prompts: namedTexts({ [NAME]: text as { text: string } }) });
    expect(creating('You help.')).toThrow('prompt "support.system" is "You help.": give { text, file? }');
    expect(creating({ text: '' })).toThrow('prompt "support.system" is empty');
    expect(creating({ text: 'x', file: 3 })).toThrow("has 3 as its file: give a path, such as 'prompts/system.md'");
  });

  it('does not record a prompt with a secret, and says so once', async () => {
    const secret = 'Use the key sk-proj-Abc123Def456Ghi789Jkl012Mno345 for {{customer}}.';
    const world = new PromptWorld({ prompts: namedTexts({ [NAME]: { text: secret } }) });
    expect([...(await world.work(150)).keys()]).toEqual([secret]);
    expect(world.problems).toEqual([
      'prompts: support.system contains a secret, so its text is not recorded and no version is tried: take the secret out',
    ]);
    await expect(world.loop.tryPrompt(NAME, BETTER, ANN)).rejects.toThrow('the text in force contains a secret');
    await world.loop.close();
  });
});
