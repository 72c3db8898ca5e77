import { LoopError, type RSILoop } from 'rsi-loop';
import { namedTexts, textsIn } from 'rsi-loop/prompts';
import { describe, expect, it } from 'vitest';
import { tryPrompt } from '../../../integrations/prompts/try-prompt.js';
import { readyParts } from '../../../src/judge/judged-parts.js';
import { BASE, BETTER, NAME, PromptWorld } from '../../scenarios/prompt-world.js';

/** Returns all parts of a loop, with its named texts. */
async function partsWithTexts(loop: RSILoop) {
  return { ...(await readyParts(loop)), texts: textsIn(loop).table };
}

const ANN = { by: 'ann' };
const BEST = `${BETTER} Name the invoice.`;

/** A loop whose task `answer` has read the text and failed now and then. */
async function world() {
  const prompts = new PromptWorld();
  await prompts.work(50);
  const components = await partsWithTexts(prompts.loop);
  return {
    ...{ prompts, loop: prompts.loop, components },
    propose: (text = BETTER, task?: string, name = NAME) => tryPrompt(components, { name, text, task }, ANN),
    /** Runs one task of another name, which reads the text or does not. */
    async run(task: string, reads: boolean) {
      const { prompts: texts, end } = prompts.loop.begin(task);
      if (reads) expect(texts[NAME]).toBe(BASE);
      end({ success: true });
      await prompts.loop.runCycle();
    },
    close: () => prompts.loop.close(),
  };
}

/** Returns the message of the refusal. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((reason: unknown) => reason);
  if (!LoopError.is(error) || error.code !== 'invalid-input') throw new Error(`not refused: ${String(error)}`);
  return error.message;
}

describe('the version of a person', () => {
  it('becomes a proposal for all failures of the task, with its reason and its number of attempts', async () => {
    const { components, propose, loop, close } = await world();
    const fix = await propose();
    expect(fix).toMatchObject({
      ...{ status: 'proposed', task: 'answer', issue: 'any_failure', patternId: 'idea:answer', attempt: 1 },
      ...{ reason: 'written by ann', safe: false, proposedMs: components.clock.now() },
      change: { kind: 'prompt', name: NAME, text: BETTER, by: 'ann', scope: { task: 'answer' }, undo: { text: BASE } },
    });
    expect(components.ledger.historyOf(fix.id)).toMatchObject([{ kind: 'fix-proposed', by: 'ann' }]);
    const second = await tryPrompt(components, { name: NAME, text: BEST }, { by: 'ann', reason: 'shorter answers' });
    expect(second).toMatchObject({ reason: 'shorter answers', attempt: 1 });
    expect(second.id).not.toBe(fix.id);
    await loop.approve(fix.id, ANN);
    await loop.runCycle();
    expect((await propose(`${BEST} Be brief.`)).attempt).toBe(2);
    await close();
  });

  it('may be proposed again while it waits, and after a person rolled it back', async () => {
    const { propose, loop, close } = await world();
    const { id } = await propose();
    expect((await propose()).id).toBe(id);
    await loop.apply(id, ANN);
    await loop.rollback(id, ANN);
    expect(await propose()).toMatchObject({ id, status: 'proposed' });
    await close();
  });

  it('may have the words of a version of another text', async () => {
    const prompts = new PromptWorld({ prompts: namedTexts({ [NAME]: { text: BASE }, 'other.text': { text: BASE } }) });
    await prompts.work(50);
    for (let count = 0; count < 2; count++) {
      const { prompts: texts, end } = prompts.loop.begin('answer');
      expect(texts['other.text']).toBe(BASE);
      end({ success: true });
    }
    const components = await partsWithTexts(prompts.loop);
    const other = await tryPrompt(components, { name: 'other.text', text: BETTER }, ANN);
    await prompts.loop.approve(other.id, ANN);
    const fix = await tryPrompt(components, { name: NAME, text: BETTER }, ANN);
    expect(fix.change).toMatchObject({ name: NAME, text: BETTER });
    await prompts.loop.close();
  });

  it('is refused while it is approved, on trial or confirmed, with the way to look at it', async () => {
    const { prompts, propose, loop, close } = await world();
    prompts.rates = (text) => (text === BETTER ? 0.05 : 0.6);
    const { id } = await propose();
    await loop.approve(id, ANN);
    expect(await refusal(propose())).toMatch(
      /^support\.system stays as it is: version \w{8} is approved: see rsi explain/,
    );
    await loop.runCycle();
    expect(await refusal(propose())).toContain(`is trial: see rsi explain ${id}`);
    await prompts.work(400);
    expect(prompts.fix.status).toBe('confirmed');
    // The text in force is compared before the versions are.
    expect(await refusal(propose())).toContain('the draft is the text in force');
    await close();
  });

  it('is refused if the draft or the text in force holds a secret', async () => {
    const { propose, close } = await world();
    const key = 'The key is sk-proj-Abc123Def456Ghi789Jkl012Mno345.';
    expect(await refusal(propose(`${BETTER} ${key}`))).toContain('the draft contains a secret');
    await close();
    const secret = new PromptWorld({ prompts: namedTexts({ [NAME]: { text: `${BASE} ${key}` } }) });
    await secret.work(50);
    const trying = tryPrompt(await partsWithTexts(secret.loop), { name: NAME, text: BETTER }, ANN);
    expect(await refusal(trying)).toContain('the text in force contains a secret: take it out first');
    await secret.loop.close();
  });
});

describe('the name of a prompt', () => {
  it('that is not known is refused with the name that was meant, or with all names', async () => {
    const { propose, close } = await world();
    expect(await refusal(propose(BETTER, undefined, 'support.sistem'))).toContain('did you mean support.system?');
    expect(await refusal(propose(BETTER, undefined, 'x'))).toContain(
      'no prompt is called "x": use one of support.system',
    );
    await close();
    const none = new PromptWorld({ prompts: namedTexts() });
    const trying = tryPrompt(await partsWithTexts(none.loop), { name: 'x', text: BETTER }, ANN);
    expect(await refusal(trying)).toContain('the loop of your program declares none yet');
    await none.loop.close();
  });

  it('may be one that only another process declares', async () => {
    const { prompts, close } = await world();
    await prompts.loop.runCycle();
    const viewer = prompts.open({ prompts: namedTexts() });
    await viewer.refresh();
    const fix = await tryPrompt(await partsWithTexts(viewer), { name: NAME, text: BETTER }, ANN);
    expect(fix.change).toMatchObject({ name: NAME, undo: { text: BASE } });
    const elsewhere = tryPrompt(await partsWithTexts(viewer), { name: 'support.sistem', text: BETTER }, ANN);
    expect(await refusal(elsewhere)).toContain('did you mean support.system?');
    await Promise.all([close(), viewer.close()]);
  });
});

describe('the task whose outcomes decide', () => {
  it('must have read the text', async () => {
    const unread = new PromptWorld();
    await unread.loop.ready();
    const components = await partsWithTexts(unread.loop);
    const trying = (task?: string) => tryPrompt(components, { name: NAME, text: BETTER, task }, ANN);
    expect(await refusal(trying())).toBe(
      'support.system was not read by a task yet: call loop.run(task, ({ prompts }) => ...) first',
    );
    expect(await refusal(trying('answer'))).toContain('is read by no task, so nothing could be compared for "answer"');
    await unread.loop.close();
  });

  it('must have an outcome, so that there is something to compare with', async () => {
    const unread = new PromptWorld();
    await unread.loop.ready();
    expect(unread.loop.begin('answer').prompts[NAME]).toBe(BASE);
    const components = await partsWithTexts(unread.loop);
    const trying = (task?: string) => refusal(tryPrompt(components, { name: NAME, text: BETTER, task }, ANN));
    expect(await trying()).toBe(
      'support.system has no outcome of answer yet, so nothing could be compared for "answer"',
    );
    expect(await trying('write')).toContain('is read by answer, so nothing could be compared for "write"');
    await unread.loop.close();
  });

  it('must be named if several tasks read the text', async () => {
    const { propose, run, close } = await world();
    await run('summarize', true);
    await run('other', false);
    expect(await refusal(propose())).toBe(
      'support.system is read by answer, summarize: say which of these tasks the trial counts',
    );
    expect(await propose(BETTER, 'summarize')).toMatchObject({
      task: 'summarize',
      change: { scope: { task: 'summarize' } },
    });
    await close();
  });
});
