import { MemoryStore, type Outcome, RSILoop } from 'rsi-loop';
import { periods } from 'rsi-loop/kit';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { makeReport } from '../../../integrations/cli/analyze/report.js';
import { Survey } from '../../../integrations/cli/analyze/survey.js';
import { listPatterns, renderPatterns } from '../../../integrations/cli/patterns/list.js';
import { overviewView } from '../../../integrations/dashboard/data/overview.js';
import type { DataSource } from '../../../integrations/dashboard/data/source.js';
import { readStatus } from '../../../integrations/reports/status.js';
import { DAY, HOUR, makeFailure, makeOutcome } from '../../analyze/make-outcome.js';

const NOW = Date.UTC(2026, 5, 1);
const look = { width: 80, paint: (_: unknown, text: string) => text, next: (words: string) => `npx rsi ${words}` };

/** Three failures of `search` in two wordings cost more together than two of `deploy`, which cost more each. */
function outcomes(): Outcome[] {
  const at = (hours: number) => ({ atMs: NOW - 40 * DAY - hours * HOUR });
  return [
    ...Array.from({ length: 3 }, (_, index) =>
      makeFailure('network', 'connect ECONNREFUSED', { task: 'deploy', ...at(index) }),
    ),
    ...Array.from({ length: 2 }, (_, index) =>
      makeFailure('timeout', 'no answer in time', { task: 'search', ...at(index) }),
    ),
    ...Array.from({ length: 2 }, (_, index) =>
      makeFailure('timeout', 'gave up waiting', { task: 'search', ...at(index) }),
    ),
    ...Array.from({ length: 200 }, (_, index) =>
      makeOutcome({ task: 'model_call', durationMs: 10, ...at(160 - index / 4) }),
    ),
    ...Array.from({ length: 90 }, (_, index) =>
      makeOutcome({ task: 'model_call', durationMs: 9_000_000, ...at(30 - index / 4) }),
    ),
  ];
}

async function world() {
  const clock = new ManualClock(NOW);
  const store = new MemoryStore({ clock });
  const all = outcomes();
  store.journal.append(all.map((outcome) => ({ kind: 'outcome', outcome })));
  await store.journal.flush();
  const loop = new RSILoop({ store, clock });
  const report = await loop.runCycle();
  return { loop, report, all };
}

describe('the same failures', () => {
  it('stand in the same order with the same numbers in every view, and no slow success above them', async () => {
    const { loop, report, all } = await world();
    const expected = [
      ['search', 'timeout', 4],
      ['deploy', 'network', 3],
    ];
    const status = await readStatus(loop, { problems: [] });
    expect(status.patterns.worst.map(({ task, issue, count }) => [task, issue, count])).toEqual(expected);
    expect(status.patterns).toMatchObject({ found: 3, failing: 2, measures: 1 });

    const survey = new Survey({ nowMs: NOW, sinceMs: status.period.sinceMs, untilMs: status.period.untilMs });
    survey.absorb({ outcomes: all, path: 'a.jsonl', undatedMs: Number.NaN });
    survey.end();
    const summary = { filesRead: 1, filesFailed: 0, filesIgnored: 0, nothingFound: {}, outcomes: all.length };
    const read = { summary: { ...summary, lines: 1, bytes: 1, skipped: 0, leftOut: {} }, problems: [] };
    const analysis = makeReport(survey, { ...read, interrupted: false }, { limit: 10 });
    expect(analysis.patterns.map(({ task, issue, count }) => [task, issue, count])).toEqual(expected);

    const list = await listPatterns(loop, { limit: 10 });
    expect(list.patterns.map(({ task, kind }) => [task, kind])).toEqual([
      ['search', 'failure'],
      ['search', 'failure'],
      ['deploy', 'failure'],
      ['model_call', 'slow'],
    ]);
    const text = renderPatterns(list, look);
    expect(text).toContain('search · timeout: 4 of 4, in 2 wordings');
    expect(text).toMatch(
      /deploy · network[\s\S]*Slower or more expensive than before[\s\S]*model_call · slow_response/,
    );
    expect(text).toMatch(/^4 patterns, 2026-04-15 to 2026-04-22/);

    // The views of the page read no other field.
    const source = {
      loop,
      patterns: report.patterns,
      health: report.health,
      lines: periods.timelines(loop),
      nowMs: NOW,
      problems: [],
    } as unknown as DataSource;
    const { worst, patterns } = await overviewView(source);
    expect(worst.map(({ task, count, wordings }) => [task, count, wordings])).toEqual([
      ['search', 4, 2],
      ['deploy', 3, 1],
    ]);
    expect(patterns).toBe(3);
    await loop.close();
  });

  it('groups wordings by who must act and how, and says it once', async () => {
    const loop = new RSILoop({ store: new MemoryStore(), clock: new ManualClock(NOW) });
    for (const error of [
      'api.go:9:2: Error return value of `json.Unmarshal` is not checked (errcheck)',
      'env.go:40:26: undefined: defaultAgent',
      'store.go:254:2: G104: Errors unhandled (gosec)',
    ])
      loop.observer.recordSimple('Bash', { success: false, error, issues: ['tool_failure'] });
    await loop.ready();
    await loop.runCycle();
    const list = await listPatterns(loop, { limit: 10 });
    expect(list.patterns.map(({ acting: { who, count } }) => [who, count])).toEqual([
      ['agent', 2],
      ['agent', 2],
      ['agent', 1],
    ]);
    const text = renderPatterns(list, look);
    expect(text.match(/^agent \(2×\): Handle every returned error/gm)).toHaveLength(1);
    await loop.close();
  });
});
