import { RSILoop, type RSILoopOptions } from 'rsi-loop';
import { namedTexts } from 'rsi-loop/prompts';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { isLedgerEntry } from '../../src/node/check-entry.js';

const OLD = 'You answer questions.';
const NEW = 'You answer questions. Cite the source.';
const languageOf = (task: number) => (task % 2 === 0 ? 'de' : 'en');

/** Requests in two languages, of which each fails as often as the arm that it got says. */
class Desk {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 5));
  readonly luck = seededRandom(11);
  readonly loop: RSILoop;
  tasks = 0;
  rates: Record<'old' | 'new', Record<string, number>> = { old: { de: 0.4, en: 0.05 }, new: { de: 0.05, en: 0.4 } };

  readonly #isText: boolean;

  constructor(options: RSILoopOptions = {}) {
    this.#isText = options.prompts !== undefined;
    this.loop = new RSILoop({ clock: this.clock, random: seededRandom(5), idempotent: false, ...options });
  }

  /** Returns how often each language got the new arm. */
  async work(count: number, until: () => boolean = () => false): Promise<Record<string, number>> {
    const got: Record<string, number> = { de: 0, en: 0 };
    for (let index = 0; index < count && !until(); index++) {
      await this.clock.advance(30_000);
      const language = languageOf(this.tasks++);
      const { prompts, policy, end } = this.loop.begin('answer', {
        ...(this.#isText ? {} : { models: ['old', 'new'] }),
        features: { language },
      });
      const model = policy['model.order'][0] ?? 'old';
      const arm = (this.#isText ? prompts.system === NEW : model === 'new') ? 'new' : 'old';
      if (arm === 'new') got[language] = (got[language] ?? 0) + 1;
      const success = this.luck() >= (this.rates[arm][language] ?? 0);
      const attempts = [{ delayMs: 0, durationMs: 1, success, model }];
      end({ success, model, attempts, ...(!success && { error: 'no', issues: ['wrong_output'] }) });
      if (this.tasks % 20 === 0) await this.loop.runCycle();
    }
    return got;
  }

  get fix() {
    return this.loop.fixes().find(({ status }) => status === 'trial' || status === 'confirmed');
  }

  get isRouted(): boolean {
    return this.fix?.status === 'confirmed' && (this.fix.change.scope.except ?? []).length > 0;
  }
}

describe('routing by a feature of the request', () => {
  it('sends each language to the model that suits it, and keeps both measurable', async () => {
    const desk = new Desk();
    await desk.work(4_000, () => desk.isRouted);
    expect(desk.fix).toMatchObject({
      status: 'confirmed',
      change: { scope: { task: 'answer', except: [{ 'feature.language': 'en' }] } },
    });
    const { loop } = desk;
    expect(loop.policy('answer', { model: 'old', features: { language: 'de' } })['model.order']).toEqual(['new']);
    expect(loop.policy('answer', { model: 'old', features: { language: 'en' } })['model.order']).toEqual([]);
    const { history, figures, description } = loop.explain(desk.fix?.id ?? '');
    expect(description.title).toContain('but not where language is en');
    expect(JSON.stringify(history)).toContain('with language en: not applied there any more');
    expect(figures?.kinds?.map(({ scope }) => scope['feature.language']).sort()).toEqual(['de', 'en']);
    // A small share of each language goes to the other model.
    const got = await desk.work(2_000);
    expect(got.de).toBeGreaterThan(850);
    expect(got.de).toBeLessThan(1_000);
    expect(got.en).toBeGreaterThan(2);
    expect(got.en).toBeLessThan(60);
    // A file store reads back only what passes this check.
    for await (const { entry } of loop.store.ledger.read()) expect(entry).toSatisfy(isLedgerEntry);
    await loop.close();
  });

  it('gives a version of a prompt to the requests that it helps, and to all once it helps all', async () => {
    const desk = new Desk({ prompts: namedTexts({ system: { text: OLD } }) });
    await desk.work(100);
    const { id } = await desk.loop.tryPrompt('system', NEW, { by: 'ann' });
    await desk.loop.approve(id, { by: 'ann' });
    const fix = () => desk.loop.explain(id).fix;
    await desk.work(4_000, () => fix().status === 'confirmed' && fix().change.scope.except !== undefined);
    expect(fix()).toMatchObject({ status: 'confirmed', change: { scope: { except: [{ 'feature.language': 'en' }] } } });
    expect(desk.loop.prompt('system', { task: 'answer', features: { language: 'de' } })).toBe(NEW);
    expect(desk.loop.prompt('system', { task: 'answer', features: { language: 'en' } })).toBe(OLD);
    desk.rates = { old: { de: 0.4, en: 0.4 }, new: { de: 0.05, en: 0.05 } };
    await desk.work(20_000, () => fix().change.scope.except?.length === 0);
    expect(fix()).toMatchObject({ status: 'confirmed', change: { scope: { except: [] } } });
    expect(JSON.stringify(desk.loop.explain(id).history)).toContain('helps with language en since');
    expect(desk.loop.prompt('system', { task: 'answer', features: { language: 'en' } })).toBe(NEW);
    await desk.loop.close();
  });
});

describe('features that cannot be used', () => {
  it('are reported, and the task begins without them', async () => {
    const loop = new RSILoop({ clock: new ManualClock(Date.UTC(2026, 0, 5)) });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => void problems.push(message));
    const begin = (features: unknown) => loop.begin('ask', { features } as never).end({ success: true });
    begin('de');
    begin({ 'a b': 'x' });
    begin({ language: 7 });
    begin(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}`, 'x'])));
    expect(problems).toEqual([
      expect.stringContaining('features is "de": they were ignored; give an object of texts'),
      expect.stringContaining('the feature "a b" was ignored: give at most 8 names of up to 40 letters'),
      expect.stringContaining('features.language is 7: it was ignored; give a text'),
      expect.stringContaining('the feature "f8" was ignored'),
    ]);
    await loop.close();
  });
});
