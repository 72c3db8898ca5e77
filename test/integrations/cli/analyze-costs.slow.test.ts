import type { Outcome } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { Costs } from '../../../integrations/cli/analyze/costs.js';
import { increaseChance } from '../../../integrations/cli/analyze/rank-sum.js';
import { render } from '../../../integrations/cli/analyze/render-analysis.js';
import { makeReport } from '../../../integrations/cli/analyze/report.js';
import { Survey } from '../../../integrations/cli/analyze/survey.js';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1, 12);
let number = 0;

function outcome(fields: Partial<Outcome>): Outcome {
  number++;
  return {
    id: `o${number}`,
    task: 'model_call',
    success: true,
    atMs: START,
    source: 'test',
    issues: [],
    ...fields,
  } as Outcome;
}

/** A session a day of ten calls each, with so many tokens a call. */
function sessions(tokens: readonly number[], fields: Partial<Outcome> = {}): Outcome[] {
  return tokens.flatMap((input, day) =>
    Array.from({ length: 10 }, (_, call) =>
      outcome({
        atMs: START + day * DAY_MS + call * 60_000,
        session: `${fields.model ?? 's'}-${day}`,
        tokens: { input, output: 100 },
        ...fields,
      }),
    ),
  );
}

function risesOf(outcomes: readonly Outcome[]) {
  const costs = new Costs();
  for (const each of outcomes) costs.absorb(each, 'log.jsonl');
  return costs.rises();
}

const jitter = (base: number, index: number) => base + ((index * 7919) % 13) * (base / 100);

describe('what became slow or costly', () => {
  it('is told with its figures and the day since when', () => {
    const tokens = [...Array(10).keys()].map((day) => jitter(day < 4 ? 20_000 : 83_000, day));
    const long = [...Array(14).keys()].map((day) => jitter(day < 8 ? 20_000 : 83_000, day));
    expect(risesOf(sessions(tokens))).toEqual([]); // four sessions are no past
    expect(risesOf(sessions(long))).toMatchObject([
      {
        kind: 'costly',
        unit: 'tokens',
        task: 'model_call',
        sinceMs: START + 8 * DAY_MS,
        calls: 60,
        sessions: { before: 8, after: 6 },
      },
    ]);
    const survey = new Survey({ nowMs: START + 30 * DAY_MS });
    survey.absorb({ outcomes: sessions(long), path: 'log.jsonl', undatedMs: 0 });
    survey.end();
    const summary = {
      filesRead: 1,
      filesFailed: 0,
      filesIgnored: 0,
      nothingFound: {},
      outcomes: 140,
      lines: 1,
      bytes: 1,
      skipped: 0,
      leftOut: {},
    };
    const report = makeReport(survey, { summary, problems: [], interrupted: false }, { limit: 10 });
    for (const width of [60, 80]) {
      const text = render(report, { width, paint: (_, words) => words, next: (words) => words });
      expect(text.replace(/\s+/g, ' ')).toMatch(/model_call · 8\d k tokens a call since 9 Jan, was 2\d k tokens/);
      expect(text).toContain('Nothing failed.');
      expect(Math.max(...text.split('\n').map(columns))).toBeLessThanOrEqual(width);
    }
  });

  it('is not a second model, agent or project that takes more', () => {
    const cheap = sessions(
      [...Array(10).keys()].map((day) => jitter(20_000, day)),
      { model: 'small' },
    );
    const dear = sessions(
      [...Array(10).keys()].map((day) => jitter(90_000, day)),
      { model: 'large' },
    );
    const late = dear.map((each) => ({ ...each, atMs: each.atMs + 10 * DAY_MS }));
    expect(risesOf([...cheap, ...late])).toEqual([]);
    const other = late.map((each) => ({ ...each, model: 'small', context: { project: 'other' } }));
    expect(risesOf([...cheap, ...other])).toEqual([]);
  });

  it('counts tokens read from a cache as a tenth', () => {
    const tokens = [...Array(14).keys()].map((day) => jitter(20_000, day));
    const cached = sessions(tokens).map((each, index) =>
      index < 80 ? each : { ...each, tokens: { input: 80_000, output: 100, cachedInput: 70_000 } },
    );
    expect(risesOf(cached)).toEqual([]);
  });

  it('is reported by chance in fewer than one in a hundred histories where nothing changed', () => {
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    let found = 0;
    for (let run = 0; run < 400; run++) {
      const tokens = Array.from({ length: 24 }, () => 20_000 * Math.exp(2 * (random() + random() - 1)));
      found += risesOf(sessions(tokens)).length;
    }
    expect(found).toBeLessThanOrEqual(6);
  });
});

describe('increaseChance', () => {
  it('is exact for few values', () => {
    expect(increaseChance([1, 2, 3, 4, 5], [6, 7, 8])).toBeCloseTo(1 / 56, 12);
    expect(increaseChance([6, 7, 8], [1, 2])).toBeCloseTo(1, 12);
    expect(increaseChance([1, 3], [2, 4])).toBeCloseTo(2 / 6, 12);
  });

  it('is nearly the same where it is approximated', () => {
    const earlier = [...Array(20).keys()];
    const later = earlier.map((value) => value + 5.5);
    const exact = increaseChance(earlier, later);
    const more = increaseChance([...earlier, 9.9], later);
    expect(Math.abs(exact - more) / exact).toBeLessThan(0.5);
    expect(more).toBeLessThan(0.01);
  });
});
