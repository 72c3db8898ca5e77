import { afterEach, describe, expect, it, vi } from 'vitest';
import { Analyzer } from '../../src/analyze/analyzer.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { DAY, HOUR, makeFailure, makeOutcome, START } from './make-outcome.js';

const NOW = START + DAY;

function analyze(outcomes: readonly Outcome[], options = {}): Analyzer {
  const analyzer = new Analyzer(options);
  analyzer.absorb(outcomes);
  return analyzer;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the cause of a pattern, and who must act', () => {
  it('are looked for in its messages when they are first read', () => {
    const analyzer = analyze([1, 2, 3].map(() => makeFailure('timeout', 'timed out')));
    const expressions = vi.spyOn(RegExp.prototype, 'test');
    const [pattern] = analyzer.patterns(NOW);
    expect(pattern).toMatchObject({ issue: 'timeout', count: 3 });
    expect(expressions).not.toHaveBeenCalled();
    expect(pattern?.actor.who).toBe('loop');
    expect(expressions).toHaveBeenCalled();
  });

  it('stay those of the messages at the time of the reading, whenever they are read', () => {
    const unknownTool = makeFailure('tool_failure', '/bin/sh: 1: jq: not found');
    const first = Array.from({ length: 3 }, () => unknownTool);
    const analyzer = analyze(first);
    const [pattern] = analyzer.patterns(NOW);
    analyzer.absorb([makeFailure('tool_failure', '/bin/sh: 1: fd: not found')]);
    const [alone] = analyze(first).patterns(NOW);
    expect([pattern?.actor, pattern?.rootCause]).toEqual([alone?.actor, alone?.rootCause]);
    const [later] = analyzer.patterns(NOW);
    expect(later?.actor.evidence).not.toEqual(pattern?.actor.evidence);
  });
});

describe('a saved analyzer', () => {
  it('is restored group by group, so that a host can do other work in between', () => {
    const tasks = Array.from({ length: 40 }, (_, index) => `task_${'abcdefghij'[index % 10]}${'klmn'[index % 4]}`);
    const analyzer = analyze(tasks.map((task) => makeFailure('timeout', `no answer of ${task}`, { task })));
    const steps = Analyzer.restoring(JSON.parse(JSON.stringify(analyzer.snapshot())));
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses++;
    expect(pauses).toBeGreaterThanOrEqual(analyzer.patterns(NOW).length);
    expect(step.value?.patterns(NOW)).toEqual(analyzer.patterns(NOW));
  });
});

describe('a state that an earlier release saved', () => {
  it('gives the same patterns: the latest occurrences of a group were no text then', () => {
    const all = Array.from({ length: 110 }, (_, index) => {
      const fields = { atMs: START + (index * HOUR) / 5, session: `s${index >> 2}` };
      return index % 3 === 0 ? makeFailure('timeout', 'timed out', fields) : makeOutcome(fields);
    });
    const outcomes = all.slice(0, 90);
    const snapshot = JSON.parse(JSON.stringify(analyze(outcomes).snapshot()));
    for (const group of snapshot.groups.groups) {
      const [times, sessions, dropped] = JSON.parse(group.events);
      group.events = { times, sessions, dropped };
      group.episodes = JSON.parse(group.episodes);
    }
    const restored = Analyzer.restore(snapshot);
    restored?.absorb(all.slice(90));
    expect(restored?.patterns(NOW)).toEqual(analyze(all).patterns(NOW));
    expect(restored?.patterns(NOW)[0]?.count).toBe(37);
  });
});

describe('Analyzer', () => {
  it('rates failures that came in one burst with a wider interval, and with none on the first day', () => {
    const rateAfter = (days: number, isFailed: (index: number) => boolean) => {
      const outcomes = Array.from({ length: days * 240 }, (_, index) => {
        const atMs = START + (index * HOUR) / 10;
        return isFailed(index) ? makeFailure('timeout', 'timed out', { atMs }) : makeOutcome({ atMs });
      });
      return analyze(outcomes).patterns(START + days * DAY)[0]?.rate;
    };
    expect(rateAfter(1, (index) => index % 10 === 0)).toEqual({ value: 0.1, low: 0, high: 1, of: 240 });
    const even = rateAfter(6, (index) => index % 10 === 0);
    const burst = rateAfter(6, (index) => index >= 600 && index < 744);
    expect(even?.value).toBe(burst?.value);
    const width = (rate: typeof even) => (rate ? rate.high - rate.low : Number.NaN);
    expect(width(burst)).toBeGreaterThan(4 * width(even));
  });

  it('finds no pattern in an agent whose tasks all succeed', () => {
    const outcomes = Array.from({ length: 500 }, (_, index) => makeOutcome({ atMs: START + index * 1000 }));
    expect(analyze(outcomes).patterns(NOW)).toEqual([]);
  });

  it('rates failures against all outcomes of their task', () => {
    const outcomes = Array.from({ length: 100 }, (_, index) =>
      index % 10 === 0 ? makeFailure('timeout', 'timed out') : makeOutcome(),
    );
    const [pattern] = analyze([...outcomes, makeOutcome({ task: 'other' })]).patterns(NOW);
    expect(pattern).toMatchObject({ task: 'api_call', issue: 'timeout', count: 10, recurring: true });
    expect(pattern?.rate).toMatchObject({ value: 0.1, of: 100 });
  });

  it('calls a pattern recurring from the third time on', () => {
    const failures = [1, 2, 3].map(() => makeFailure('timeout', 'timed out'));
    expect(analyze(failures.slice(0, 2)).patterns(NOW)[0]?.recurring).toBe(false);
    expect(analyze(failures).patterns(NOW)[0]?.recurring).toBe(true);
    expect(analyze(failures, { recurrenceThreshold: 4 }).patterns(NOW)[0]?.recurring).toBe(false);
  });

  it('forgets what is older than the window', () => {
    const outcomes = [makeFailure('timeout', 'old', { atMs: START - 8 * DAY }), makeFailure('timeout', 'recent')];
    expect(
      analyze(outcomes)
        .patterns(NOW)
        .map((pattern) => pattern.template),
    ).toEqual(['recent']);
  });

  it('keeps children out of the rates of the task around them, even under the same name', () => {
    const outcomes = [
      makeFailure('timeout', 'timed out'),
      makeOutcome(),
      ...Array.from({ length: 8 }, () => makeOutcome({ parent: 'p1' })),
    ];
    const analyzer = analyze(outcomes);
    expect(analyzer.patterns(NOW)[0]?.rate.of).toBe(2);
    expect(analyzer.tasks(NOW)).toMatchObject([{ task: 'api_call', outcomes: 2, failures: 1 }]);
  });

  it('describes a task that only ever runs inside others', () => {
    const analyzer = analyze([makeFailure('tool_failure', 'boom', { task: 'search', parent: 'p1' })]);
    expect(analyzer.tasks(NOW)).toMatchObject([{ task: 'search', outcomes: 1, failures: 1 }]);
    expect(analyzer.patterns(NOW)).toMatchObject([{ task: 'search', issue: 'tool_failure' }]);
  });

  it('knows the volume of a task from its first minutes on', () => {
    const young = Array.from({ length: 60 }, (_, index) => makeOutcome({ atMs: START + index * 1_000 }));
    expect(analyze(young).tasks(START + 60_000)[0]?.perDay).toBe(86_400);
    expect(analyze([makeOutcome({ atMs: START - 30 * DAY }), ...young]).tasks(START + 60_000)[0]?.perDay).toBeCloseTo(
      60 / 7,
    );
  });

  it('knows which share of the newest tasks began half a minute after the one before, after 20 tasks', () => {
    const every = (ms: number, tasks: number) =>
      Array.from({ length: tasks }, (_, index) => makeOutcome({ atMs: START + index * ms, durationMs: 10_000 }));
    const apartOf = (outcomes: readonly Outcome[]) => analyze(outcomes).tasks(NOW)[0]?.apart;
    expect(apartOf(every(40_000, 19))).toBeUndefined();
    expect(apartOf(every(40_000, 20))).toBe(1);
    expect(apartOf(every(39_999, 200))).toBeLessThan(0.001 + 0.05);
    const restored = Analyzer.restore(JSON.parse(JSON.stringify(analyze(every(40_000, 20)).snapshot())));
    expect(restored?.tasks(NOW)[0]?.apart).toBe(1);
  });

  it('knows the same volume from records however old they are', () => {
    const week = Array.from({ length: 80 }, (_, index) => makeOutcome({ atMs: START + index * 2 * HOUR }));
    const analyzer = analyze(week);
    const endMs = START + 79 * 2 * HOUR;
    const perDay = 80 / (79 / 12);
    expect(analyzer.tasks(endMs)[0]?.perDay).toBeCloseTo(perDay);
    expect(analyzer.tasks(endMs + DAY / 2)[0]?.perDay).toBeCloseTo(80 / 7); // half a day without any
    expect(analyzer.tasks(endMs + 300 * DAY)[0]?.perDay).toBeCloseTo(perDay);
  });

  it('says what tasks took that ended in a time-out', () => {
    const outcomes = [1_490, 1_500, 1_510].map((durationMs) => makeFailure('timeout', 'timed out', { durationMs }));
    const [task] = analyze([...outcomes, makeFailure('network', 'reset', { durationMs: 20 })]).tasks(NOW);
    expect(task?.timedOutMs).toBeGreaterThan(1_450);
    expect(task?.timedOutMs).toBeLessThan(1_550);
    expect(analyze([makeOutcome({ durationMs: 30 })]).tasks(NOW)[0]?.timedOutMs).toBeUndefined();
  });

  it('does not count a cancelled task at all', () => {
    const analyzer = analyze([makeFailure('cancelled', 'aborted by user')]);
    expect(analyzer.patterns(NOW)).toEqual([]);
    expect(analyzer.tasks(NOW)).toEqual([]);
  });

  it('counts an outcome for all those it stands for', () => {
    const outcomes = [makeFailure('timeout', 'timed out'), makeOutcome({ weight: 9 })];
    expect(analyze(outcomes).patterns(NOW)[0]?.rate).toMatchObject({ value: 0.1, of: 10 });
  });

  it('puts the costliest pattern first and keeps its score whatever successes are logged', () => {
    const failures = [
      makeFailure('timeout', 'timed out'),
      ...Array.from({ length: 5 }, () => makeFailure('auth', 'bad key')),
    ];
    const few = analyze(failures).patterns(NOW);
    const many = analyze([...failures, ...Array.from({ length: 900 }, () => makeOutcome())]).patterns(NOW);
    expect(few.map((pattern) => pattern.issue)).toEqual(['auth', 'timeout']);
    expect(many.map((pattern) => pattern.impact)).toEqual(few.map((pattern) => pattern.impact));
  });

  it('prefers any name to unknown and counts everything the caller named', () => {
    const outcome = makeOutcome({ success: false, issues: ['unknown', 'context_loss', 'memory_miss'] });
    const issues = analyze([outcome])
      .patterns(NOW)
      .map((pattern) => pattern.issue);
    expect(issues.sort()).toEqual(['context_loss', 'memory_miss']);
  });

  it('counts the same episodes of logs that are read in any order', () => {
    const logs = Array.from({ length: 12 }, (_, index) =>
      [0, 1, 2].map((minute) =>
        makeFailure('timeout', 'timed out', { atMs: START + index * 9 * HOUR + minute * 60_000 }),
      ),
    );
    const episodesOf = (order: typeof logs) => {
      const analyzer = new Analyzer({});
      for (const log of order) analyzer.absorb(log);
      return analyzer.patterns(START + 5 * DAY)[0]?.episodes;
    };
    expect([episodesOf(logs), episodesOf([...logs].reverse())]).toEqual([12, 12]);
    expect(episodesOf(logs.map((_, index) => logs[(index * 5) % 12] ?? []))).toBe(12);
  });

  it('tells episodes from single failures', () => {
    const burst = (startMs: number) =>
      [0, 1, 2, 3].map((minute) => makeFailure('timeout', 'timed out', { atMs: startMs + minute * 60_000 }));
    const [pattern] = analyze([...burst(START), ...burst(START + 3 * HOUR)]).patterns(NOW);
    expect(pattern).toMatchObject({ count: 8, episodes: 2 });
  });

  it('keeps the counts of wordings it has no room for', () => {
    const outcomes = Array.from({ length: 200 }, (_, index) =>
      makeFailure('unknown', `message ${'abcdefghij'[index % 10]}${index}`, { atMs: START + index }),
    );
    const patterns = analyze(outcomes, { maxGroups: 40 }).patterns(NOW);
    expect(patterns.length).toBeLessThanOrEqual(41);
    expect(patterns.reduce((sum, pattern) => sum + pattern.count, 0)).toBe(200);
  });

  it('goes on from a snapshot as if it had never stopped', () => {
    const outcomes = Array.from({ length: 300 }, (_, index) =>
      index % 7 === 0
        ? makeFailure('timeout', `timed out in ${index % 3}`, {
            atMs: START + index * 600_000,
            durationMs: 100 + index,
          })
        : makeOutcome({ atMs: START + index * 600_000, model: index % 2 ? 'sonnet' : 'haiku', durationMs: 50 + index }),
    );
    const whole = analyze(outcomes);
    const restored = Analyzer.restore(JSON.parse(JSON.stringify(analyze(outcomes.slice(0, 150)).snapshot())));
    restored?.absorb(outcomes.slice(150));
    const now = START + 3 * DAY;
    expect(JSON.stringify(restored?.patterns(now))).toBe(JSON.stringify(whole.patterns(now)));
    expect(JSON.stringify(restored?.tasks(now))).toBe(JSON.stringify(whole.tasks(now)));
    expect(JSON.stringify(restored?.snapshot())).toBe(JSON.stringify(whole.snapshot()));
  });

  it('refuses a snapshot of another version', () => {
    expect(Analyzer.restore({ version: 0 })).toBeUndefined();
    expect(Analyzer.restore(null)).toBeUndefined();
  });

  it('says where a pattern happens', () => {
    const outcomes = Array.from({ length: 200 }, (_, index) => {
      const fields = {
        model: index % 2 ? 'haiku' : 'sonnet',
        tool: index % 3 ? 'search' : 'read',
        atMs: START + index,
      };
      return index % 2 && index % 5 < 2 ? makeFailure('timeout', 'timed out', fields) : makeOutcome(fields);
    });
    expect(analyze(outcomes).patterns(NOW)[0]?.where).toEqual([{ model: 'haiku' }]);
  });

  it('says global when no part of the work is worse than the rest', () => {
    const outcomes = Array.from({ length: 200 }, (_, index) => {
      const fields = { model: index % 2 ? 'haiku' : 'sonnet', atMs: START + index };
      return index % 3 === 0 ? makeFailure('timeout', 'timed out', fields) : makeOutcome(fields);
    });
    expect(analyze(outcomes).patterns(NOW)[0]?.where).toBe('global');
  });

  it('ignores an outcome whose time is no number', () => {
    expect(analyze([makeFailure('timeout', 'x', { atMs: Number.NaN })]).patterns(NOW)).toEqual([]);
  });

  it('says where failures happen now, whatever it said before', () => {
    const analyzer = new Analyzer();
    const absorb = (model: string, failing: number, of: number) =>
      analyzer.absorb(
        Array.from({ length: of }, (_, index) =>
          index < failing ? makeFailure('timeout', 'timed out', { model }) : makeOutcome({ model }),
        ),
      );
    const where = () => analyzer.patterns(START)[0]?.where;
    absorb('haiku', 40, 60);
    absorb('sonnet', 1, 60);
    expect(where()).toEqual([{ model: 'haiku' }]);
    absorb('haiku', 0, 2_400);
    expect(where()).toBe('global');
    absorb('sonnet', 60, 80);
    expect(where()).toEqual([{ model: 'sonnet' }]);
  });
});
