import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Explanation, Fix, Outcome, Pattern } from 'rsi-loop';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importInto } from '../../integrations/sources/import/index.js';
import { COURSE } from '../../src/classify/remedies/row.js';
import { percent } from '../../src/lib/text.js';

const data = resolve(import.meta.dirname, '../../../shared/data');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Everything that the loop says about the sessions, and the outcomes to count it again from. */
interface Said {
  readonly outcomes: readonly Outcome[];
  readonly patterns: readonly Pattern[];
  readonly fixes: readonly Fix[];
  readonly explanations: readonly Explanation[];
  /** Newest record: views of recorded logs end there. */
  readonly endMs: number;
}

async function readAll(folder: string): Promise<Said> {
  const store = new FileStore(folder);
  await importInto(store, [join(data, 'sessions'), join(data, 'traces', 'codex')], { nowMs: Date.now() });
  const outcomes: Outcome[] = [];
  for await (const { record } of store.journal.read()) if (record.kind === 'outcome') outcomes.push(record.outcome);
  const loop = new RSILoop({ store, autoFix: false });
  await loop.ready();
  const { patterns } = await loop.runCycle();
  const fixes = loop.fixes();
  const explanations = fixes.flatMap(({ id }) => loop.explain(id) ?? []);
  await loop.close();
  return { outcomes, patterns, fixes, explanations, endMs: Math.max(...outcomes.map(({ atMs }) => atMs)) };
}

describe.skipIf(!existsSync(data))('everything that is said about real sessions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'claims-'));
  let said: Said;
  beforeAll(async () => {
    said = await readAll(folder);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const within = ({ atMs }: Outcome, slackMs: number) => atMs > said.endMs - 7 * DAY_MS - slackMs;
  const named = ({ issues }: Outcome, issue: string) => issues.includes(issue);
  /** The window begins on a whole hour, so records of that hour may be in or out. */
  const expectCount = (count: number, isOne: (outcome: Outcome) => boolean, what: string) => {
    const all = said.outcomes.filter(isOne);
    expect(count, what).toBeGreaterThanOrEqual(all.filter((one) => within(one, 0)).length);
    expect(count, what).toBeLessThanOrEqual(all.filter((one) => within(one, HOUR_MS)).length);
  };

  it('counts each failure once, in the patterns of its task and issue', () => {
    expect(said.patterns.length).toBeGreaterThan(20);
    const failures = said.patterns.filter(({ kind }) => kind === 'failure');
    for (const { task, issue } of failures) {
      const same = failures.filter((one) => one.task === task && one.issue === issue);
      const count = same.reduce((sum, pattern) => sum + pattern.count, 0);
      expectCount(count, (one) => !one.success && one.task === task && named(one, issue), `${task} · ${issue}`);
    }
  });

  it('rates each pattern by all outcomes of its task, and says when and how often it came', () => {
    for (const {
      id,
      task,
      issue,
      kind,
      count,
      rate,
      episodes,
      firstSeenMs,
      lastSeenMs,
      evidence,
      sources,
    } of said.patterns) {
      if (kind !== 'failure') continue;
      expectCount(rate.of, (one) => one.task === task, `${id} of`);
      expect(rate.value * rate.of).toBeCloseTo(count, 6);
      expect(rate.low).toBeLessThanOrEqual(rate.value);
      expect(rate.high).toBeGreaterThanOrEqual(rate.value);
      expect(episodes).toBeGreaterThan(0);
      expect(episodes).toBeLessThanOrEqual(count);
      const own = said.outcomes.filter((one) => !one.success && one.task === task && named(one, issue));
      const times = new Set(own.map(({ atMs }) => atMs));
      expect([times.has(firstSeenMs), times.has(lastSeenMs)], id).toEqual([true, true]);
      const ids = new Set(own.map((one) => one.id));
      for (const one of evidence) expect(ids.has(one), id).toBe(true);
      for (const source of sources) expect(own.some((one) => one.source === source)).toBe(true);
    }
  });

  it('quotes only what was said, and counts the steps before', () => {
    const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
    for (const { id, task, issue, kind, where, actor, examples } of said.patterns) {
      if (kind !== 'failure') continue;
      const own = said.outcomes.filter((one) => !one.success && one.task === task && named(one, issue));
      const texts = own.map(({ error }) => letters(error?.message ?? ''));
      for (const example of examples)
        expect(
          texts.some((text) => text.startsWith(letters(example).slice(0, 250))),
          id,
        ).toBe(true);
      const { matched, of, said: quotes, course } = actor.evidence;
      expect(matched).toBeLessThanOrEqual(of);
      expect(of, id).toBeLessThanOrEqual(Math.max(1, examples.length));
      for (const quote of quotes)
        expect(
          texts.some((text) => text.includes(letters(quote))),
          `${id}: ${quote}`,
        ).toBe(true);
      if (course !== undefined) {
        const marked = own.filter(({ tags = [] }) => tags.includes(`${COURSE}${course.fact}`));
        expect(course.count).toBeLessThanOrEqual(marked.length);
        expect(course.count).toBeLessThanOrEqual(course.of);
      }
      if (where === 'global') continue;
      for (const place of where)
        for (const [name, value] of Object.entries(place))
          expect(
            own.some((one) => Reflect.get(one, name) === value),
            `${id}: ${name}`,
          ).toBe(true);
    }
  });

  it('gives each proposal figures of its pattern, a remedy of the agent, and a fair forecast', () => {
    expect(said.fixes.length).toBeGreaterThan(0);
    for (const { id, patternId, change, reason, expectedEffect = '', evidence = [], forecast } of said.fixes) {
      const pattern = said.patterns.find((one) => one.id === patternId);
      if (pattern === undefined) throw new Error(`${id} is about no pattern`);
      expect([id, pattern.actor.who, change.kind]).toEqual([id, 'agent', 'rule']);
      const { issue, rate, actor, examples } = pattern;
      expect(reason).toContain(`${issue} in ${pattern.count} of ${rate.of} calls (${percent(rate.value)})`);
      const { matched, of } = actor.evidence;
      const all = of === 2 ? 'both' : `all ${of}`;
      if (of > 1) expect(reason).toContain(`${matched === of ? all : `${matched} of ${of}`} messages say`);
      for (const [, count, of] of reason.matchAll(/: (\d+) of (\d+) since it was first seen/g))
        expect([Number(count), Number(of)]).toEqual([actor.evidence.course?.count, actor.evidence.course?.of]);
      const texts = examples.join('\n').replace(/\s+/g, ' ');
      for (const [, quote = ''] of reason.matchAll(/“([^”]*)”/g)) expect(texts).toContain(quote.replace(/…$/, ''));
      const shares = [...expectedEffect.matchAll(/([\d.]+) %/g)].map(([, share]) => Number(share));
      for (const share of shares) expect(share).toBeGreaterThanOrEqual(Math.floor(rate.value * 100));
      const failed = new Set(
        said.outcomes.filter((one) => !one.success && one.task === pattern.task).map((one) => one.id),
      );
      for (const one of evidence) expect(failed.has(one)).toBe(true);
      if (forecast.kind !== 'not-testable') continue;
      const [, weeks, calls = ''] = /about (\d+) weeks \(about ([\d,]+) calls\)/.exec(forecast.reason) ?? [];
      const firstMs = Math.min(...said.outcomes.filter(({ task }) => task === pattern.task).map(({ atMs }) => atMs));
      const watchedMs = Math.min(7 * DAY_MS, said.endMs - firstMs);
      expect(Number(weeks), id).toBe(
        Math.ceil((Number(calls.replaceAll(',', '')) / rate.of) * (watchedMs / (7 * DAY_MS))),
      );
    }
  });

  it('explains each proposal by the pattern it is about, and by its own history', () => {
    expect(said.explanations).toHaveLength(said.fixes.length);
    for (const { fix, pattern, history, figures } of said.explanations) {
      expect(pattern).toEqual(said.patterns.find(({ id }) => id === fix.patternId));
      expect(history.map(({ kind }) => kind)).toContain('fix-proposed');
      expect(figures).toBeUndefined();
    }
  });
});
