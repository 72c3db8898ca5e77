import { describe, expect, it } from 'vitest';
import { RSILoop } from '../../src/index.js';
import { seededRandom } from '../../src/lib/random.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

interface Life {
  /** Failure rate of each model, in the order of the list. */
  readonly rates: Readonly<Record<string, number>>;
  readonly fallback: boolean;
  readonly tasks: number;
}

/** Runs tasks that list all models. Returns the share of the last 500 that asked each first, and the reasons shown. */
async function live({ rates, fallback, tasks }: Life, seed = 5) {
  const clock = new ManualClock();
  const random = seededRandom(11);
  const loop = new RSILoop({ clock, random: seededRandom(seed), policy: { 'model.fallback': fallback } });
  const models = Object.keys(rates) as [string, ...string[]];
  const firsts: string[] = [];
  const reasons = new Set<string>();
  await loop.ready();
  for (let task = 1; task <= tasks; task++) {
    let first: string | undefined;
    const work = ({ model = '' }) => {
      first ??= model;
      return Promise.resolve(random() < (rates[model] ?? 0) ? 'wrong' : 'right');
    };
    const accept = (value: string) => value === 'right' || 'wrong answer';
    await loop.run('answer', work, { models, idempotent: true, accept });
    firsts.push(first ?? '');
    await clock.advance(60_000);
    if (task % 60 > 0) continue;
    for (const { reason, change } of (await loop.runCycle()).fixes) if (change.kind === 'policy') reasons.add(reason);
  }
  await loop.close();
  const shareOf = (model: string) => firsts.slice(-500).filter((one) => one === model).length / 500;
  return { shareOf, reasons: [...reasons] };
}

describe('the order of models', () => {
  it('ends with the best of three, although another one comes before it in the list', async () => {
    const { shareOf } = await live({ rates: { a: 0.9, b: 0.62, c: 0.3 }, fallback: false, tasks: 1_200 });
    expect(shareOf('c')).toBeGreaterThan(0.8);
  });

  it('ends with the best of three where a fallback leaves nearly no failures', async () => {
    const { shareOf } = await live({ rates: { a: 0.6, b: 0.2, c: 0.05 }, fallback: true, tasks: 1_200 });
    expect(shareOf('c')).toBeGreaterThan(0.8);
  });

  it('ends with the cheaper one where a fallback hides which of them fails', async () => {
    const life: Life = { rates: { a: 0.5, b: 0.2 }, fallback: true, tasks: 1_200 };
    const lives = await Promise.all([5, 6, 7].map((seed) => live(life, seed)));
    // A guard takes back one good fix in twenty.
    expect(lives.filter(({ shareOf }) => shareOf('b') > 0.8).length).toBeGreaterThanOrEqual(2);
    // A fallback only sees what the first model failed: no sentence calls the better one the worse.
    const wrong = lives.flatMap(({ reasons }) => reasons.filter((reason) => reason.includes('ask a first')));
    expect(wrong).toEqual([]);
  });
});
